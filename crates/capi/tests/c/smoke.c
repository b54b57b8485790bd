/* Every noun of the header once, from an engine to a commit. */
#include "support.h"

static dralloc_snapshot *snapshot_of(dralloc_engine *engine) {
  dralloc_snapshot *snapshot = NULL;
  OK(dralloc_engine_snapshot(engine, &snapshot, &error));
  return snapshot;
}

static dralloc_transaction *transaction_of(const dralloc_snapshot *snapshot) {
  dralloc_transaction *transaction = NULL;
  OK(dralloc_snapshot_transaction(snapshot, &transaction, &error));
  return transaction;
}

static dralloc_claims *claims_of(const dralloc_snapshot *snapshot, const char *json) {
  dralloc_claims *claims = NULL;
  OK(dralloc_snapshot_prepare(snapshot, TEXT(json), &claims, &error));
  return claims;
}

static void check_outcome(const dralloc_outcome *outcome, dralloc_outcome_kind expected,
                          const char *json) {
  dralloc_outcome_kind kind = DRALLOC_OUTCOME_KIND_UNKNOWN;
  const uint8_t *data = NULL;
  size_t length = 0;
  OK(dralloc_outcome_get_kind(outcome, &kind, &error));
  CHECK(kind == expected);
  OK(dralloc_outcome_json(outcome, &data, &length, &error));
  if (!IS(data, length, json)) {
    fprintf(stderr, "expected %s\nfound    %.*s\n", json, (int)length, (const char *)data);
    exit(1);
  }
}

static void versions(void) {
  CHECK(dralloc_abi_version() == DRALLOC_ABI_VERSION);
  CHECK(strcmp(dralloc_version(), DRALLOC_TEST_VERSION) == 0);
}

static void changes(void) {
  dralloc_engine *engine = NULL;
  dralloc_bytes *bytes = NULL;
  uint32_t is_assumed = 7;
  OK(dralloc_engine_new(TEXT("{\"kubernetesMinor\":37}"), &engine, &error));
  OK(dralloc_engine_apply(engine, TEXT(NODE), &bytes, &error));
  check_bytes(bytes, "{\"changed\":true,\"nodes\":[\"node-1\"],\"anyNode\":false,"
                     "\"pools\":[],\"claims\":[]}");
  OK(dralloc_engine_apply(engine, TEXT(SLICE), &bytes, &error));
  check_bytes(bytes, "{\"changed\":true,\"nodes\":[\"node-1\"],\"anyNode\":false,"
                     "\"pools\":[[\"gpu.example.com\",\"node-1\"]],\"claims\":[]}");
  OK(dralloc_engine_change(engine, TEXT("{\"removed\":{\"kind\":\"ResourceSlice\",\"uid\":\"s\"}}"),
                           &bytes, &error));
  check_bytes(bytes, "{\"changed\":true,\"nodes\":[\"node-1\"],\"anyNode\":false,"
                     "\"pools\":[[\"gpu.example.com\",\"node-1\"]],\"claims\":[]}");
  OK(dralloc_engine_replace(engine, TEXT("Node"), TEXT("[]"), &bytes, &error));
  check_bytes(bytes, "{\"changed\":true,\"nodes\":[\"node-1\"],\"anyNode\":false,"
                     "\"pools\":[],\"claims\":[]}");
  OK(dralloc_engine_forget(engine, TEXT("nobody"), &bytes, &error));
  check_bytes(bytes, "{\"changed\":false,\"nodes\":[],\"anyNode\":false,"
                     "\"pools\":[],\"claims\":[]}");
  OK(dralloc_engine_is_assumed(engine, TEXT("nobody"), &is_assumed, &error));
  CHECK(is_assumed == 0);
  CHECK(dralloc_engine_free(engine) == DRALLOC_STATUS_OK);
}

static void questions(void) {
  dralloc_engine *engine = two_devices();
  dralloc_snapshot *snapshot = snapshot_of(engine);
  dralloc_claims *one = claims_of(snapshot, CLAIM("a", "1"));
  dralloc_claims *more = claims_of(snapshot, "[" CLAIM("b", "1") "," CLAIM("c", "1") "]");
  dralloc_transaction *transaction = transaction_of(snapshot);
  dralloc_workspace *workspace = NULL;
  dralloc_outcome *outcome = NULL;
  dralloc_bytes *bytes = NULL;
  dralloc_device devices[4];
  dralloc_savepoint *savepoint = NULL;
  const uint8_t *data = NULL;
  size_t length = 0;
  uint64_t revision = 0;

  OK(dralloc_workspace_new(&workspace, &error));
  OK(dralloc_snapshot_revision(snapshot, &revision, &error));
  CHECK(revision == 3);
  OK(dralloc_claims_count(more, &length, &error));
  CHECK(length == 2);

  OK(dralloc_transaction_savepoint(transaction, &savepoint, &error));
  OK(dralloc_transaction_allocate(transaction, TEXT("node-1"), one, NULL, workspace, &outcome,
                                  &error));
  check_outcome(outcome, DRALLOC_OUTCOME_KIND_OPTIMAL,
                "{\"outcome\":\"optimal\",\"node\":\"node-1\",\"results\":[" RESULT("gpu-0") "]}");
  OK(dralloc_outcome_results(outcome, &data, &length, &error));
  CHECK(IS(data, length, "[" RESULT("gpu-0") "]"));
  OK(dralloc_outcome_devices(outcome, snapshot, devices, 4, &length, &error));
  CHECK(length == 1);
  CHECK(devices[0].claim == 0 && devices[0].request == 0 && devices[0].alternative == 0);
  OK(dralloc_snapshot_device(snapshot, devices[0].device, &bytes, &error));
  check_bytes(bytes,
              "{\"driver\":\"gpu.example.com\",\"pool\":\"node-1\",\"device\":\"gpu-0\"}");
  CHECK(dralloc_outcome_free(outcome) == DRALLOC_STATUS_OK);

  /* One device is left, two are wanted. */
  OK(dralloc_transaction_allocate(transaction, TEXT("node-1"), more, NULL, workspace, &outcome,
                                  &error));
  check_outcome(outcome, DRALLOC_OUTCOME_KIND_INFEASIBLE,
                "{\"outcome\":\"infeasible\",\"reason\":{\"kind\":\"count\",\"message\":"
                "\"all requests together have too few devices\"}}");
  OK(dralloc_outcome_results(outcome, &data, &length, &error));
  CHECK(IS(data, length, "[]"));
  CHECK(dralloc_outcome_free(outcome) == DRALLOC_STATUS_OK);
  OK(dralloc_transaction_satisfiable(transaction, TEXT("node-1"), more, NULL, NULL, &outcome,
                                     &error));
  check_outcome(outcome, DRALLOC_OUTCOME_KIND_OPTIMAL,
                "{\"outcome\":\"optimal\",\"node\":\"node-1\",\"results\":[" RESULT("gpu-0") ","
                RESULT("gpu-1") "]}");
  CHECK(dralloc_outcome_free(outcome) == DRALLOC_STATUS_OK);

  /* After going back both fit. */
  OK(dralloc_transaction_rollback(transaction, savepoint, &error));
  OK(dralloc_transaction_allocate(transaction, TEXT("node-1"), more, NULL, workspace, &outcome,
                                  &error));
  CHECK(dralloc_outcome_free(outcome) == DRALLOC_STATUS_OK);
  OK(dralloc_transaction_commit(transaction, engine, &bytes, &error));
  check_bytes(bytes, "{\"changed\":true,\"nodes\":[],\"anyNode\":false,"
                     "\"pools\":[[\"gpu.example.com\",\"node-1\"]],\"claims\":[\"b\",\"c\"]}");

  CHECK(dralloc_savepoint_free(savepoint) == DRALLOC_STATUS_OK);
  CHECK(dralloc_transaction_free(transaction) == DRALLOC_STATUS_OK);
  CHECK(dralloc_claims_free(one) == DRALLOC_STATUS_OK);
  CHECK(dralloc_claims_free(more) == DRALLOC_STATUS_OK);
  CHECK(dralloc_workspace_free(workspace) == DRALLOC_STATUS_OK);
  /* The engine may go before what was made of it. */
  CHECK(dralloc_engine_free(engine) == DRALLOC_STATUS_OK);
  CHECK(dralloc_snapshot_free(snapshot) == DRALLOC_STATUS_OK);
}

/* What a snapshot and a list of nodes say of themselves. */
static void known(void) {
  dralloc_engine *engine = two_devices();
  dralloc_snapshot *snapshot = snapshot_of(engine);
  dralloc_node_list *nodes = NULL;
  dralloc_bytes *bytes = NULL;
  const uint8_t *data = NULL;
  size_t length = 0;
  OK(dralloc_snapshot_objects(snapshot, TEXT("Node"), TEXT("node-1"), &bytes, &error));
  check_bytes(bytes, "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{\"apiVersion\":"
                     "\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node-1\"},\"spec\":{},"
                     "\"status\":{}}]}");
  OK(dralloc_snapshot_objects(snapshot, TEXT("Topology"), NULL, 0, &bytes, &error));
  check_bytes(bytes, "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[]}");
  OK(dralloc_snapshot_features(snapshot, &bytes, &error));
  OK(dralloc_bytes_data(bytes, &data, &length, &error));
  CHECK(length > 40 && memcmp(data, "{\"kubernetesMinor\":37,\"relaxedSelectors\"", 40) == 0);
  CHECK(dralloc_bytes_free(bytes) == DRALLOC_STATUS_OK);
  OK(dralloc_snapshot_node_list(snapshot, TEXT("[\"gone\",\"node-1\"]"), &nodes, &error));
  OK(dralloc_node_list_name(nodes, 0, &data, &length, &error));
  CHECK(IS(data, length, "gone"));
  CHECK(dralloc_node_list_name(nodes, 2, &data, &length, NULL) == DRALLOC_STATUS_OUT_OF_RANGE);
  CHECK(dralloc_node_list_free(nodes) == DRALLOC_STATUS_OK);
  CHECK(dralloc_snapshot_free(snapshot) == DRALLOC_STATUS_OK);
  CHECK(dralloc_engine_free(engine) == DRALLOC_STATUS_OK);
}

/* Calls are written from the moment on that somebody wants them. */
static void traces(void) {
  dralloc_engine *engine = two_devices();
  dralloc_trace *trace = NULL;
  dralloc_bytes *bytes = NULL;
  const uint8_t *data = NULL;
  size_t length = 0;
  OK(dralloc_engine_record(engine, &trace, &error));
  OK(dralloc_engine_forget(engine, TEXT("nobody"), NULL, &error));
  OK(dralloc_trace_take(trace, &bytes, &error));
  OK(dralloc_bytes_data(bytes, &data, &length, &error));
  CHECK(length > 0 && data[length - 1] == '\n');
  {
    dralloc_bytes *difference = NULL;
    OK(dralloc_trace_replay(data, length, &difference, &error));
    check_bytes(difference, "null");
  }
  CHECK(dralloc_bytes_free(bytes) == DRALLOC_STATUS_OK);
  OK(dralloc_trace_take(trace, &bytes, &error));
  check_bytes(bytes, "");
  CHECK(dralloc_trace_free(trace) == DRALLOC_STATUS_OK);
  OK(dralloc_engine_forget(engine, TEXT("nobody"), NULL, &error));
  CHECK(dralloc_engine_free(engine) == DRALLOC_STATUS_OK);
}

static void errors(void) {
  dralloc_engine *engine = two_devices();
  dralloc_snapshot *snapshot = snapshot_of(engine);
  dralloc_claims *claims = NULL;
  dralloc_error *error = NULL;
  dralloc_status status = DRALLOC_STATUS_OK;
  const uint8_t *data = NULL;
  size_t length = 0;
  CHECK(dralloc_snapshot_prepare(snapshot,
                                 TEXT("{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":"
                                      "\"ResourceClaim\",\"metadata\":{\"name\":7}}"),
                                 &claims, &error) == DRALLOC_STATUS_MALFORMED);
  CHECK(claims == NULL && error != NULL);
  CHECK(dralloc_error_status(error, &status) == DRALLOC_STATUS_OK);
  CHECK(status == DRALLOC_STATUS_MALFORMED);
  CHECK(dralloc_error_path(error, &data, &length) == DRALLOC_STATUS_OK);
  CHECK(IS(data, length, "metadata.name"));
  CHECK(dralloc_error_message(error, &data, &length) == DRALLOC_STATUS_OK);
  CHECK(IS(data, length, "expected a string, found `7`"));
  CHECK(dralloc_error_json(error, &data, &length) == DRALLOC_STATUS_OK);
  CHECK(IS(data, length,
           "{\"code\":\"malformed\",\"message\":\"expected a string, found `7`\","
           "\"path\":\"metadata.name\",\"scope\":\"request\"}"));
  CHECK(dralloc_error_free(error) == DRALLOC_STATUS_OK);
  CHECK(dralloc_snapshot_free(snapshot) == DRALLOC_STATUS_OK);
  CHECK(dralloc_engine_free(engine) == DRALLOC_STATUS_OK);
}

int main(void) {
  versions();
  changes();
  questions();
  known();
  traces();
  errors();
  CHECK(dralloc_live_handles() == 0);
  puts("ok");
  return 0;
}
