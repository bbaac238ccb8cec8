"""Lets gcloud's own filter choose from documents: stdin {"documents": [..], "filters": [..]}, stdout a list with
the numbers of the documents that each filter lets through, or null for a filter that gcloud refuses.

Run with gcloud's Python and its folders lib and lib/third_party in PYTHONPATH.
"""
import json
import logging
import sys

from googlecloudsdk.core.resource import resource_filter
from googlecloudsdk.core.resource import resource_transform

logging.disable(logging.CRITICAL)  # gcloud says that ':' will change one day


def chosen(text, documents):
  # A filter remembers what the first value was, as it does in one run of gcloud list.
  class Defaults:
    symbols = dict(resource_transform.GetTransforms(), **{})
    aliases = {}
  try:
    query = resource_filter.Compile(text, defaults=Defaults())
    return [i for i, document in enumerate(documents) if query.Evaluate(document)]
  except Exception:  # whatever gcloud would end with
    return None


asked = json.load(sys.stdin)
json.dump([chosen(text, asked['documents']) for text in asked['filters']], sys.stdout)
