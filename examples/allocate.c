// cc allocate.c $(pkg-config --cflags --libs dralloc) -o allocate && ./allocate
#include <dralloc.h>
#include <stdio.h>

#define TEXT(text) (const uint8_t *)(text), sizeof(text) - 1

static const char objects[] =
    "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node-1\"}}"
    "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"DeviceClass\",\"metadata\":{\"name\":\"gpu\"}}"
    "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\",\"metadata\":{\"name\":\"gpus\"},"
    " \"spec\":{\"driver\":\"gpu.example.com\",\"nodeName\":\"node-1\",\"devices\":[{\"name\":\"gpu-0\"}],"
    "  \"pool\":{\"name\":\"node-1\",\"generation\":1,\"resourceSliceCount\":1}}}";
static const char claim[] =
    "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\","
    " \"metadata\":{\"namespace\":\"default\",\"name\":\"training\"},\"spec\":{\"devices\":{\"requests\":"
    " [{\"name\":\"gpu\",\"exactly\":{\"deviceClassName\":\"gpu\",\"allocationMode\":\"ExactCount\",\"count\":1}}]}}}";

int main(void) {
  dralloc_engine *engine;
  dralloc_snapshot *snapshot;
  dralloc_claims *claims;
  dralloc_transaction *transaction;
  dralloc_outcome *outcome;
  const uint8_t *json;
  size_t length;
  if (dralloc_engine_new(NULL, 0, &engine, NULL) ||
      dralloc_engine_apply(engine, TEXT(objects), NULL, NULL) ||
      dralloc_engine_snapshot(engine, &snapshot, NULL) ||
      dralloc_snapshot_prepare(snapshot, TEXT(claim), &claims, NULL) ||
      dralloc_snapshot_transaction(snapshot, &transaction, NULL) ||
      dralloc_transaction_allocate(transaction, TEXT("node-1"), claims, NULL, NULL, &outcome, NULL) ||
      dralloc_outcome_json(outcome, &json, &length, NULL) ||
      dralloc_transaction_commit(transaction, engine, NULL, NULL)) {
    return 1;
  }
  printf("%.*s\n", (int)length, (const char *)json);
  return 0;
}
