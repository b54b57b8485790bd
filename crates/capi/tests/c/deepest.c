/* The deepest and longest texts, to everything that takes a text, on a small stack: its
 * size in KiB is the argument. Prints how many calls went well. */
#include "hostile_text.h"

#include <pthread.h>

static size_t good;

/* A call went well, or says why not. */
static void answered(dralloc_status status, dralloc_error *error) {
  CHECK(status != DRALLOC_STATUS_PANIC && status != DRALLOC_STATUS_INTERNAL);
  CHECK((error != NULL) == (status != DRALLOC_STATUS_OK));
  CHECK(dralloc_error_free(error) == DRALLOC_STATUS_OK);
  good += status == DRALLOC_STATUS_OK;
}

#define TEXT_OF text.data, text.length
/* A call, and one that makes something, which is freed. */
#define DOES(call)                                                                \
  do {                                                                            \
    dralloc_error *error = NULL;                                                  \
    dralloc_status status = (call);                                               \
    answered(status, error);                                                      \
  } while (0)
#define MAKES(noun, call)                                                         \
  do {                                                                            \
    dralloc_##noun *made = NULL;                                                  \
    DOES(call);                                                                   \
    OK(dralloc_##noun##_free(made));                                              \
  } while (0)

static void give(struct text text) {
  dralloc_engine *engine = two_devices();
  dralloc_snapshot *snapshot = NULL;
  dralloc_transaction *transaction = NULL;
  dralloc_claims *claims = NULL;
  OK(dralloc_engine_snapshot(engine, &snapshot, &error));
  OK(dralloc_snapshot_transaction(snapshot, &transaction, &error));
  MAKES(engine, dralloc_engine_new(TEXT_OF, &made, &error));
  MAKES(engine, dralloc_engine_load(TEXT_OF, &made, &error));
  MAKES(bytes, dralloc_engine_apply(engine, TEXT_OF, &made, &error));
  MAKES(bytes, dralloc_engine_change(engine, TEXT_OF, &made, &error));
  MAKES(bytes, dralloc_engine_replace(engine, TEXT("Node"), TEXT_OF, &made, &error));
  MAKES(bytes, dralloc_engine_forget(engine, TEXT_OF, &made, &error));
  MAKES(options, dralloc_options_new(TEXT_OF, NULL, &made, &error));
  MAKES(node_list, dralloc_snapshot_node_list(snapshot, TEXT_OF, &made, &error));
  MAKES(bytes, dralloc_objects_validate(TEXT_OF, NULL, 0, &made, &error));
  MAKES(bytes, dralloc_objects_default(TEXT_OF, &made, &error));
  MAKES(bytes, dralloc_trace_replay(TEXT_OF, &made, &error));
  MAKES(bytes, dralloc_transaction_verify(transaction, TEXT("node-1"), TEXT_OF, TEXT_OF, &made,
                                          &error));
  MAKES(bytes, dralloc_transaction_verify_certificate(transaction, TEXT("node-1"), TEXT("[]"),
                                                      TEXT_OF, &made, &error));
  MAKES(bytes, dralloc_transaction_verify_optimality(transaction, TEXT("node-1"), TEXT("[]"),
                                                     TEXT("[]"), TEXT_OF, &made, &error));
  DOES(dralloc_transaction_hold(transaction, TEXT(CLAIM("a", "1")), TEXT_OF, &error));
  DOES(dralloc_transaction_take_amounts(transaction, TEXT("node-1"), TEXT_OF, TEXT_OF, &error));
  DOES(dralloc_snapshot_prepare(snapshot, TEXT_OF, &claims, &error));
  if (claims != NULL) {
    MAKES(outcome, dralloc_transaction_allocate(transaction, TEXT("node-1"), claims, NULL, NULL,
                                                &made, &error));
    MAKES(bytes, dralloc_transaction_explain(transaction, TEXT("node-1"), claims, NULL, NULL,
                                             &made, &error));
    MAKES(bytes, dralloc_transaction_dump(transaction, &made, &error));
  }
  OK(dralloc_claims_free(claims));
  OK(dralloc_transaction_free(transaction));
  OK(dralloc_snapshot_free(snapshot));
  OK(dralloc_engine_free(engine));
  free(text.memory);
}

static void *work(void *unused) {
  static const size_t depths[] = {1, 30, 1000, 100000};
  (void)unused;
  for (size_t sort = 0; sort < DEEP_SORTS; sort++) {
    for (size_t depth = 0; depth < 4; depth++) {
      give(deep(sort, depths[depth]));
    }
  }
  return NULL;
}

int main(int count, char **arguments) {
  pthread_t thread;
  pthread_attr_t small;
  CHECK(count == 2);
  CHECK(pthread_attr_init(&small) == 0);
  CHECK(pthread_attr_setstacksize(&small, (size_t)atoi(arguments[1]) * 1024) == 0);
  CHECK(pthread_create(&thread, &small, work, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(dralloc_live_handles() == 0);
  printf("%zu\n", good);
  return 0;
}
