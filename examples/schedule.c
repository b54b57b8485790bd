// The loop of a scheduler, from a watch event to a confirmed allocation.
// cc schedule.c $(pkg-config --cflags --libs dralloc) -lpthread -o schedule && ./schedule
#include <dralloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(text) (const uint8_t *)(text), strlen(text)
/* Makes a call that has to go well here. */
#define MUST(call)                                \
  do {                                            \
    dralloc_error *error = NULL;                  \
    if ((call) != DRALLOC_STATUS_OK) fail(error); \
  } while (0)

static void fail(dralloc_error *error) {
  const uint8_t *json = (const uint8_t *)"";
  size_t length = 0;
  dralloc_error_json(error, &json, &length);
  fprintf(stderr, "%.*s\n", (int)length, (const char *)json);
  dralloc_error_free(error);
  exit(1);
}

static const char cluster[] =
    "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node-1\"}}"
    "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node-2\"}}"
    "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"DeviceClass\",\"metadata\":{\"name\":\"gpu\"}}"
    "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\",\"metadata\":{\"name\":\"gpus-1\"},"
    " \"spec\":{\"driver\":\"gpu.example.com\",\"nodeName\":\"node-1\",\"devices\":[{\"name\":\"gpu-0\"}],"
    "  \"pool\":{\"name\":\"node-1\",\"generation\":1,\"resourceSliceCount\":1}}}"
    "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\",\"metadata\":{\"name\":\"gpus-2\"},"
    " \"spec\":{\"driver\":\"gpu.example.com\",\"nodeName\":\"node-2\",\"devices\":[{\"name\":\"gpu-0\"},"
    "  {\"name\":\"gpu-1\"}],\"pool\":{\"name\":\"node-2\",\"generation\":1,\"resourceSliceCount\":1}}}";

/* Returns a claim for a number of devices, and with an allocation if it has one. */
static char *claim(const char *name, int count, const char *allocation) {
  static char text[2][4096];
  static int next;
  char *one = text[next++ % 2];
  snprintf(one, sizeof text[0],
           "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\",\"metadata\":"
           "{\"namespace\":\"default\",\"name\":\"%s\",\"uid\":\"%s\"},\"spec\":{\"devices\":{\"requests\":"
           "[{\"name\":\"gpu\",\"exactly\":{\"deviceClassName\":\"gpu\",\"allocationMode\":\"ExactCount\","
           "\"count\":%d}}]}},\"status\":{%s%s}}",
           name, name, count, allocation == NULL ? "" : "\"allocation\":",
           allocation == NULL ? "" : allocation);
  return one;
}

/* One engine behind a lock; all else needs none. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static dralloc_engine *engine;

static dralloc_snapshot *snapshot_now(void) {
  dralloc_snapshot *snapshot;
  pthread_mutex_lock(&lock);
  MUST(dralloc_engine_snapshot(engine, &snapshot, &error));
  pthread_mutex_unlock(&lock);
  return snapshot;
}

/* Finds a node for a claim and holds its devices; writes what is to be written to the
 * claim's status. Returns whether it fits anywhere. */
static int schedule(const char *object, const dralloc_options *options,
                    dralloc_workspace *workspace, char *allocation, size_t room) {
  for (;;) {
    dralloc_snapshot *snapshot = snapshot_now();
    dralloc_claims *claims;
    dralloc_transaction *transaction;
    dralloc_placement *placement;
    dralloc_outcome *outcome;
    dralloc_placed_node node;
    const uint8_t *json;
    size_t length, count;
    dralloc_status status = DRALLOC_STATUS_OK;
    MUST(dralloc_snapshot_prepare(snapshot, TEXT(object), &claims, &error));
    MUST(dralloc_snapshot_transaction(snapshot, &transaction, &error));
    MUST(dralloc_transaction_place_and_allocate(transaction, claims, NULL, options, workspace,
                                                &placement, &error));
    MUST(dralloc_placement_nodes(placement, &node, 1, &count, &error));
    if (count == 0) {
      dralloc_bytes *why;
      MUST(dralloc_placement_json(placement, &why, &error));
      MUST(dralloc_bytes_data(why, &json, &length, &error));
      printf("nowhere: %.*s\n", (int)length, (const char *)json);
      MUST(dralloc_bytes_free(why));
    } else {
      MUST(dralloc_placement_node_name(placement, 0, &json, &length, &error));
      printf("on %.*s\n", (int)length, (const char *)json);
      MUST(dralloc_placement_outcome(placement, 0, &outcome, &error));
      MUST(dralloc_outcome_results(outcome, &json, &length, &error));
      /* One claim: the array without its brackets is its allocation. */
      snprintf(allocation, room, "%.*s", (int)length - 2, (const char *)json + 1);
      MUST(dralloc_outcome_free(outcome));
      pthread_mutex_lock(&lock);
      status = dralloc_transaction_commit(transaction, engine, NULL, NULL);
      pthread_mutex_unlock(&lock);
    }
    MUST(dralloc_placement_free(placement));
    MUST(dralloc_transaction_free(transaction));
    MUST(dralloc_claims_free(claims));
    MUST(dralloc_snapshot_free(snapshot));
    /* Somebody else took what was decided on: decide anew. */
    if (status != DRALLOC_STATUS_CONFLICT) return count > 0;
  }
}

/* Would a claim fit on a node if another gave back what it has? Nothing stays of it. */
static void what_if(const char *wanted, const char *victim, const char *node) {
  dralloc_snapshot *snapshot = snapshot_now();
  dralloc_claims *claims;
  dralloc_transaction *transaction;
  dralloc_savepoint *start;
  dralloc_outcome *outcome;
  dralloc_outcome_kind kind;
  MUST(dralloc_snapshot_prepare(snapshot, TEXT(wanted), &claims, &error));
  MUST(dralloc_snapshot_transaction(snapshot, &transaction, &error));
  MUST(dralloc_transaction_savepoint(transaction, &start, &error));
  MUST(dralloc_transaction_release(transaction, TEXT(victim), NULL, &error));
  MUST(dralloc_transaction_allocate(transaction, TEXT(node), claims, NULL, NULL, &outcome, &error));
  MUST(dralloc_outcome_get_kind(outcome, &kind, &error));
  printf("without the victim it %s\n", kind == DRALLOC_OUTCOME_KIND_OPTIMAL ? "fits" : "does not fit");
  MUST(dralloc_transaction_rollback(transaction, start, &error));
  MUST(dralloc_outcome_free(outcome));
  MUST(dralloc_savepoint_free(start));
  MUST(dralloc_transaction_free(transaction));
  MUST(dralloc_claims_free(claims));
  MUST(dralloc_snapshot_free(snapshot));
}

int main(void) {
  char allocation[2048];
  uint32_t is_assumed;
  dralloc_workspace *workspace; /* one for each thread, kept */
  dralloc_cancel *cancel;       /* any thread may set it */
  dralloc_options *options;
  if (dralloc_abi_version() != DRALLOC_ABI_VERSION) return 1;
  MUST(dralloc_engine_new(NULL, 0, &engine, &error));
  MUST(dralloc_workspace_new(&workspace, &error));
  MUST(dralloc_cancel_new(&cancel, &error));
  MUST(dralloc_options_new(TEXT("{\"find\":\"best\",\"best\":1,\"explain\":true,"
                                "\"timeoutNanoseconds\":1000000000}"),
                           cancel, &options, &error));

  /* Watch: whatever the API server says is applied as it comes. */
  MUST(dralloc_engine_apply(engine, TEXT(cluster), NULL, &error));

  /* Place and assume. */
  if (!schedule(claim("training", 2, NULL), options, workspace, allocation, sizeof allocation)) return 1;

  /* Writing it failed: forget it, and decide anew. */
  MUST(dralloc_engine_forget(engine, TEXT("training"), NULL, &error));
  if (!schedule(claim("training", 2, NULL), options, workspace, allocation, sizeof allocation)) return 1;

  /* Confirm: the event that shows the allocation. */
  MUST(dralloc_engine_apply(engine, TEXT(claim("training", 2, allocation)), NULL, &error));
  MUST(dralloc_engine_is_assumed(engine, TEXT("training"), &is_assumed, &error));
  printf("assumed: %u\n", (unsigned)is_assumed);

  /* What does not fit says why, and whom it would take. */
  schedule(claim("other", 2, NULL), options, workspace, allocation, sizeof allocation);
  what_if(claim("other", 2, NULL), claim("training", 2, NULL), "node-2");

  /* Cancelled: an outcome, not an error. */
  MUST(dralloc_cancel_set(cancel, 1, &error));
  schedule(claim("late", 1, NULL), options, workspace, allocation, sizeof allocation);

  MUST(dralloc_options_free(options));
  MUST(dralloc_cancel_free(cancel));
  MUST(dralloc_workspace_free(workspace));
  MUST(dralloc_engine_free(engine));
  printf("handles left: %llu\n", (unsigned long long)dralloc_live_handles());
  return 0;
}
