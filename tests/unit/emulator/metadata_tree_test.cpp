#include "emulator/metadata_tree.h"

#include <gtest/gtest.h>

namespace slipway::emulator {
namespace {

const Json kTree{
    {"instance", Json{{"attributes", Json{{"startup-script", "echo"}, {"tpu-env", "A: 'b'\n"}}},
                      {"id", 5000000000000010000},
                      {"maintenance-event", "NONE"},
                      {"network-interfaces", Json{{"0", Json{{"ip", "127.1.0.1"}}}}},
                      {"service-accounts", Json{{"default", Json{{"scopes", Json::array({"a", "b"})},
                                                                 {"token", Json{{"access_token", "t"}}}}}}}}},
    {"project", Json{{"project-id", "p"}}}};

TEST(MetadataTree, IsWalkedByItsPath) {
  EXPECT_TRUE(find_metadata(kTree, "")->is_directory);
  EXPECT_TRUE(find_metadata(kTree, "instance/attributes")->is_directory);
  EXPECT_EQ(metadata_text(find_metadata(kTree, "instance/attributes/tpu-env")->value), "A: 'b'\n");
  EXPECT_EQ(metadata_text(find_metadata(kTree, "instance/id")->value), "5000000000000010000");
  EXPECT_EQ(metadata_text(find_metadata(kTree, "instance/service-accounts/default/scopes")->value), "a\nb\n");
  EXPECT_FALSE(find_metadata(kTree, "instance/service-accounts/default/token")->is_directory);
  for (const char* path : {"none", "instance/none", "instance/id/x", "instance//id", "instance/"})
    EXPECT_FALSE(find_metadata(kTree, path)) << path;
}

TEST(MetadataTree, ListsNamesAndMarksDirectories) {
  EXPECT_EQ(metadata_listing(kTree["instance"]),
            "attributes/\nid\nmaintenance-event\nnetwork-interfaces/\nservice-accounts/\n");
}

TEST(MetadataTree, AsADocumentHasCamelCaseNamesButForAttributes) {
  const Json document = metadata_document(kTree["instance"], "instance");
  EXPECT_EQ(document["maintenanceEvent"], "NONE");
  EXPECT_EQ(document["networkInterfaces"][0]["ip"], "127.1.0.1");
  EXPECT_EQ(document["attributes"]["startup-script"], "echo");
  EXPECT_EQ(metadata_document(kTree["instance"]["attributes"], "instance/attributes")["tpu-env"], "A: 'b'\n");
  EXPECT_EQ(dump_json(document).find("access_token"), std::string::npos);
}

TEST(MetadataTree, AnotherValueHasAnotherEtag) {
  Json changed = kTree;
  changed["instance"]["maintenance-event"] = "TERMINATE_ON_HOST_MAINTENANCE";
  EXPECT_NE(metadata_etag(kTree), metadata_etag(changed));
  EXPECT_EQ(metadata_etag(kTree["project"]), metadata_etag(changed["project"]));
  EXPECT_EQ(metadata_etag(kTree).size(), 16U);
}

}  // namespace
}  // namespace slipway::emulator
