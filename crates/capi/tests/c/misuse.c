/* What is done wrong is answered with a status, and harms nothing. */
#include "support.h"

#include <pthread.h>

static dralloc_engine *engine;
static dralloc_snapshot *snapshot;
static dralloc_claims *claims;

static void begin(void) {
  engine = two_devices();
  OK(dralloc_engine_snapshot(engine, &snapshot, &error));
  OK(dralloc_snapshot_prepare(snapshot, TEXT(CLAIM("a", "1")), &claims, &error));
}

static void end(void) {
  OK(dralloc_claims_free(claims));
  OK(dralloc_snapshot_free(snapshot));
  OK(dralloc_engine_free(engine));
}

static dralloc_transaction *transaction_of(void) {
  dralloc_transaction *transaction = NULL;
  OK(dralloc_snapshot_transaction(snapshot, &transaction, &error));
  return transaction;
}

/* Checks status and message of a call that fails. */
#define FAILS(call, expected, text)                                               \
  do {                                                                            \
    dralloc_error *error = NULL;                                                  \
    const uint8_t *data = NULL;                                                   \
    size_t length = 0;                                                            \
    CHECK((call) == (expected));                                                  \
    CHECK(error != NULL);                                                         \
    CHECK(dralloc_error_message(error, &data, &length) == DRALLOC_STATUS_OK);     \
    if (!IS(data, length, text)) {                                                \
      fprintf(stderr, "%s:%d: %.*s\n", __FILE__, __LINE__, (int)length,           \
              (const char *)data);                                                \
      exit(1);                                                                    \
    }                                                                             \
    CHECK(dralloc_error_free(error) == DRALLOC_STATUS_OK);                        \
  } while (0)

static void nulls(void) {
  dralloc_transaction *transaction = transaction_of();
  const dralloc_claims *members[] = {claims, NULL};
  dralloc_outcome *outcome = NULL;
  dralloc_bytes *bytes = NULL;
  FAILS(dralloc_engine_new(NULL, 0, NULL, &error), DRALLOC_STATUS_NULL_ARGUMENT,
        "`engine` is null, expected a pointer");
  FAILS(dralloc_engine_apply(NULL, TEXT(NODE), NULL, &error), DRALLOC_STATUS_NULL_ARGUMENT,
        "`engine` is null, expected a pointer");
  FAILS(dralloc_engine_apply(engine, NULL, 1, NULL, &error), DRALLOC_STATUS_NULL_ARGUMENT,
        "`json` is null, expected a pointer");
  FAILS(dralloc_engine_apply(engine, (const uint8_t *)"{", SIZE_MAX, NULL, &error),
        DRALLOC_STATUS_OUT_OF_RANGE, "`json` is longer than memory, expected its length");
  FAILS(dralloc_snapshot_prepare(NULL, TEXT("[]"), &claims, &error),
        DRALLOC_STATUS_NULL_ARGUMENT, "`snapshot` is null, expected a pointer");
  FAILS(dralloc_transaction_allocate(transaction, TEXT("node-1"), NULL, NULL, NULL, &outcome,
                                     &error),
        DRALLOC_STATUS_NULL_ARGUMENT, "`claims` is null, expected a pointer");
  FAILS(dralloc_transaction_allocate(transaction, TEXT("node-1"), claims, NULL, NULL, NULL,
                                     &error),
        DRALLOC_STATUS_NULL_ARGUMENT, "`outcome` is null, expected a pointer");
  FAILS(dralloc_transaction_gang(transaction, NULL, 1, NULL, NULL, NULL, &bytes, &error),
        DRALLOC_STATUS_NULL_ARGUMENT, "`members` is null, expected a pointer");
  FAILS(dralloc_transaction_gang(transaction, members, 2, NULL, NULL, NULL, &bytes, &error),
        DRALLOC_STATUS_NULL_ARGUMENT, "`claims` is null, expected a pointer");
  FAILS(dralloc_transaction_gang(transaction, members, SIZE_MAX, NULL, NULL, NULL, &bytes,
                                 &error),
        DRALLOC_STATUS_OUT_OF_RANGE, "`members` is longer than memory, expected its length");
  FAILS(dralloc_outcome_json(NULL, NULL, NULL, &error), DRALLOC_STATUS_NULL_ARGUMENT,
        "`data` is null, expected a pointer");
  /* An error that nobody wants to see. */
  CHECK(dralloc_engine_apply(NULL, NULL, 0, NULL, NULL) == DRALLOC_STATUS_NULL_ARGUMENT);
  CHECK(dralloc_error_status(NULL, NULL) == DRALLOC_STATUS_NULL_ARGUMENT);
  /* No text is text of length 0. */
  OK(dralloc_engine_apply(engine, NULL, 0, &bytes, &error));
  check_bytes(bytes, "{\"changed\":false,\"nodes\":[],\"anyNode\":false,\"pools\":[],"
                     "\"claims\":[]}");
  /* Freeing nothing is nothing. */
  CHECK(dralloc_engine_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_snapshot_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_transaction_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_claims_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_options_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_workspace_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_outcome_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_placement_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_savepoint_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_node_list_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_cancel_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_trace_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_bytes_free(NULL) == DRALLOC_STATUS_OK);
  CHECK(dralloc_error_free(NULL) == DRALLOC_STATUS_OK);
  OK(dralloc_transaction_free(transaction));
}

static void freed_and_wrong(void) {
  dralloc_transaction *transaction = transaction_of();
  dralloc_savepoint *savepoint = NULL;
  dralloc_outcome *outcome = (dralloc_outcome *)0x1;
  dralloc_error *kept = NULL;
  dralloc_status status = DRALLOC_STATUS_OK;
  uint64_t live = dralloc_live_handles();
  OK(dralloc_transaction_savepoint(transaction, &savepoint, &error));
  CHECK(dralloc_live_handles() == live + 1);
  OK(dralloc_transaction_free(transaction));
  CHECK(dralloc_transaction_free(transaction) == DRALLOC_STATUS_WRONG_HANDLE);
  CHECK(dralloc_transaction_free(transaction) == DRALLOC_STATUS_WRONG_HANDLE);
  CHECK(dralloc_live_handles() == live);
  FAILS(dralloc_transaction_rollback(transaction, savepoint, &error),
        DRALLOC_STATUS_WRONG_HANDLE,
        "the transaction was freed, expected one that was not");
  FAILS(dralloc_transaction_allocate(transaction, TEXT("node-1"), claims, NULL, NULL, &outcome,
                                     &error),
        DRALLOC_STATUS_WRONG_HANDLE,
        "the transaction was freed, expected one that was not");
  /* Nothing is written by a call that fails. */
  CHECK(outcome == (dralloc_outcome *)0x1);
  FAILS(dralloc_transaction_rollback((dralloc_transaction *)engine, savepoint, &error),
        DRALLOC_STATUS_WRONG_HANDLE, "the handle is of another sort, expected a transaction");
  FAILS(dralloc_snapshot_transaction((dralloc_snapshot *)claims, &transaction, &error),
        DRALLOC_STATUS_WRONG_HANDLE, "the handle is of another sort, expected a snapshot");
  CHECK(dralloc_snapshot_free((dralloc_snapshot *)claims) == DRALLOC_STATUS_WRONG_HANDLE);
  CHECK(dralloc_engine_free((dralloc_engine *)savepoint) == DRALLOC_STATUS_WRONG_HANDLE);
  OK(dralloc_savepoint_free(savepoint));
  /* An error, too, is known as one that was freed. */
  CHECK(dralloc_engine_load(TEXT("{}"), &engine, &kept) == DRALLOC_STATUS_UNSUPPORTED);
  CHECK(dralloc_error_free(kept) == DRALLOC_STATUS_OK);
  CHECK(dralloc_error_free(kept) == DRALLOC_STATUS_WRONG_HANDLE);
  CHECK(dralloc_error_status(kept, &status) == DRALLOC_STATUS_WRONG_HANDLE);
}

/* A handle that is used in place of one that was freed is not taken for it soon. */
static void freed_for_a_while(void) {
  dralloc_cancel *first = NULL, *others[100];
  OK(dralloc_cancel_new(&first, &error));
  OK(dralloc_cancel_free(first));
  for (int place = 0; place < 100; place++) {
    OK(dralloc_cancel_new(&others[place], &error));
    CHECK(others[place] != first);
  }
  CHECK(dralloc_cancel_free(first) == DRALLOC_STATUS_WRONG_HANDLE);
  for (int place = 0; place < 100; place++) {
    OK(dralloc_cancel_free(others[place]));
  }
}

static void texts(void) {
  static const uint8_t latin[] = {'n', 'o', 'd', 'e', 0xfc};
  static const uint8_t zero[] = "node\0one";
  dralloc_transaction *transaction = transaction_of();
  dralloc_outcome *outcome = NULL;
  FAILS(dralloc_transaction_allocate(transaction, latin, sizeof latin, claims, NULL, NULL,
                                     &outcome, &error),
        DRALLOC_STATUS_NOT_UTF8, "`node` is not UTF-8 at byte 4, expected text");
  CHECK(dralloc_transaction_allocate(transaction, zero, 8, claims, NULL, NULL, &outcome,
                                     NULL) == DRALLOC_STATUS_NOT_FOUND);
  CHECK(outcome == NULL);
  OK(dralloc_transaction_free(transaction));
}

/* An answer in text and numbers makes a handle only where there is no room for both. A
 * claim that has its device gets it again. */
static void text_and_numbers(dralloc_transaction *transaction) {
  uint8_t json[1024];
  dralloc_device device;
  dralloc_outcome *outcome = NULL, *other = NULL;
  dralloc_outcome_kind kind = DRALLOC_OUTCOME_KIND_UNKNOWN;
  const uint8_t *data = NULL, *other_data = NULL;
  size_t written = 0, count = 7, expected = 0;
  OK(dralloc_transaction_allocate(transaction, TEXT("node-1"), claims, NULL, NULL, &outcome,
                                  &error));
  OK(dralloc_outcome_json(outcome, &data, &expected, &error));
  for (int room = 0; room < 3; room++) {
    uint64_t live = dralloc_live_handles();
    OK(dralloc_transaction_allocate_into(transaction, TEXT("node-1"), claims, NULL, NULL, &kind,
                                         room == 0 ? NULL : json, room == 0 ? 0 : expected,
                                         &written, room == 1 ? NULL : &device, room == 1 ? 0 : 1,
                                         &count, &other, &error));
    CHECK(written == expected && count == 1 && kind == DRALLOC_OUTCOME_KIND_OPTIMAL);
    CHECK(dralloc_live_handles() == live + (room < 2) && (other != NULL) == (room < 2));
    if (other != NULL) {
      OK(dralloc_outcome_json(other, &other_data, &written, &error));
      CHECK(written == expected && memcmp(other_data, data, written) == 0);
      OK(dralloc_outcome_free(other));
    }
  }
  CHECK(memcmp(json, data, expected) == 0);
  FAILS(dralloc_transaction_allocate_into(transaction, TEXT("node-1"), claims, NULL, NULL, &kind,
                                          NULL, 1, &written, &device, 1, &count, &other, &error),
        DRALLOC_STATUS_NULL_ARGUMENT, "`json` is null, expected a pointer");
  OK(dralloc_outcome_free(outcome));
}

static void numbers(void) {
  dralloc_transaction *transaction = transaction_of();
  dralloc_node_list *nodes = NULL;
  dralloc_placement *placement = NULL;
  dralloc_outcome *outcome = NULL;
  dralloc_bytes *bytes = NULL;
  dralloc_outcome_kind kind = DRALLOC_OUTCOME_KIND_UNKNOWN;
  dralloc_device device;
  size_t count = 7;
  OK(dralloc_snapshot_node_list(snapshot, NULL, 0, &nodes, &error));
  FAILS(dralloc_transaction_allocate_devices(transaction, nodes, 1, claims, NULL, NULL, &kind,
                                             &device, 1, &count, &error),
        DRALLOC_STATUS_OUT_OF_RANGE, "place 1 of 1 nodes, expected less");
  FAILS(dralloc_snapshot_device(snapshot, UINT32_MAX, &bytes, &error),
        DRALLOC_STATUS_NOT_FOUND, "no device has the number 4294967295, expected one that has");
  CHECK(count == 7);
  /* Where there is no room nothing is held, and the count says how much it takes. */
  FAILS(dralloc_transaction_allocate_devices(transaction, nodes, 0, claims, NULL, NULL, &kind,
                                             NULL, 0, &count, &error),
        DRALLOC_STATUS_TOO_SMALL, "1 devices, expected room for them");
  CHECK(count == 1 && kind == DRALLOC_OUTCOME_KIND_UNKNOWN);
  OK(dralloc_transaction_allocate_devices(transaction, nodes, 0, claims, NULL, NULL, &kind,
                                          &device, 1, &count, &error));
  CHECK(count == 1 && kind == DRALLOC_OUTCOME_KIND_OPTIMAL);
  text_and_numbers(transaction);
  OK(dralloc_transaction_place(transaction, claims, nodes, NULL, NULL, &placement, &error));
  OK(dralloc_placement_counts(placement, NULL, &count, NULL, &error));
  CHECK(count == 1);
  FAILS(dralloc_placement_outcome(placement, 1, &outcome, &error), DRALLOC_STATUS_OUT_OF_RANGE,
        "node 1 of 1, expected less");
  OK(dralloc_placement_free(placement));
  OK(dralloc_node_list_free(nodes));
  OK(dralloc_transaction_free(transaction));
}

static void spent(void) {
  dralloc_transaction *transaction = transaction_of();
  dralloc_savepoint *savepoint = NULL;
  dralloc_engine *other = two_devices();
  OK(dralloc_transaction_commit(transaction, engine, NULL, &error));
  FAILS(dralloc_transaction_commit(transaction, engine, NULL, &error), DRALLOC_STATUS_SPENT,
        "the transaction was committed, expected one that was not");
  FAILS(dralloc_transaction_savepoint(transaction, &savepoint, &error), DRALLOC_STATUS_SPENT,
        "the transaction was committed, expected one that was not");
  OK(dralloc_transaction_free(transaction));
  transaction = transaction_of();
  FAILS(dralloc_transaction_commit(transaction, other, NULL, &error), DRALLOC_STATUS_CONFLICT,
        "the snapshot is of another engine, expected one of this engine");
  OK(dralloc_transaction_free(transaction));
  OK(dralloc_engine_free(other));
}

static void stopped(void) {
  static const char cancelled[] = "{\"outcome\":\"unknown\",\"stopCause\":\"cancelled\"}";
  static const char late[] = "{\"outcome\":\"unknown\",\"stopCause\":\"deadline\"}";
  dralloc_transaction *transaction = transaction_of();
  dralloc_cancel *cancel = NULL;
  dralloc_options *options = NULL;
  dralloc_outcome *outcome = NULL;
  dralloc_outcome_kind kind = DRALLOC_OUTCOME_KIND_OPTIMAL;
  const uint8_t *json = NULL;
  size_t length = 0;
  OK(dralloc_cancel_new(&cancel, &error));
  OK(dralloc_options_new(NULL, 0, cancel, &options, &error));
  OK(dralloc_cancel_set(cancel, 1, &error));
  OK(dralloc_transaction_allocate(transaction, TEXT("node-1"), claims, options, NULL, &outcome,
                                  &error));
  OK(dralloc_outcome_json(outcome, &json, &length, &error));
  CHECK(IS(json, length, cancelled));
  OK(dralloc_outcome_free(outcome));
  OK(dralloc_cancel_set(cancel, 0, &error));
  /* Options keep the token alive. */
  OK(dralloc_cancel_free(cancel));
  OK(dralloc_transaction_allocate(transaction, TEXT("node-1"), claims, options, NULL, &outcome,
                                  &error));
  OK(dralloc_outcome_get_kind(outcome, &kind, &error));
  CHECK(kind == DRALLOC_OUTCOME_KIND_OPTIMAL);
  OK(dralloc_outcome_free(outcome));
  OK(dralloc_options_free(options));
  OK(dralloc_transaction_free(transaction));

  transaction = transaction_of();
  OK(dralloc_options_new(TEXT("{\"timeoutNanoseconds\":0}"), NULL, &options, &error));
  OK(dralloc_transaction_allocate(transaction, TEXT("node-1"), claims, options, NULL, &outcome,
                                  &error));
  OK(dralloc_outcome_json(outcome, &json, &length, &error));
  CHECK(IS(json, length, late));
  OK(dralloc_outcome_free(outcome));
  OK(dralloc_options_free(options));
  OK(dralloc_transaction_free(transaction));
}

#define ROUNDS 2000

/* Asks on a transaction that another thread uses, too: one of them may be told so. */
static void *ask_the_same(void *transaction) {
  size_t answered = 0;
  for (int round = 0; round < ROUNDS; round++) {
    dralloc_outcome *outcome = NULL;
    dralloc_status status = dralloc_transaction_satisfiable(
        transaction, TEXT("node-1"), claims, NULL, NULL, &outcome, NULL);
    CHECK(status == DRALLOC_STATUS_OK || status == DRALLOC_STATUS_BUSY);
    CHECK((status == DRALLOC_STATUS_OK) == (outcome != NULL));
    answered += status == DRALLOC_STATUS_OK;
    OK(dralloc_outcome_free(outcome));
  }
  return (void *)answered;
}

/* Asks with what never changes, which all threads have, and all else its own. */
static void *ask_its_own(void *unused) {
  dralloc_workspace *workspace = NULL;
  (void)unused;
  OK(dralloc_workspace_new(&workspace, &error));
  for (int round = 0; round < ROUNDS; round++) {
    dralloc_transaction *transaction = transaction_of();
    dralloc_outcome *outcome = NULL;
    const uint8_t *data = NULL;
    size_t length = 0;
    OK(dralloc_transaction_allocate(transaction, TEXT("node-1"), claims, NULL, workspace,
                                    &outcome, &error));
    OK(dralloc_outcome_results(outcome, &data, &length, &error));
    CHECK(IS(data, length, "[" RESULT("gpu-0") "]"));
    OK(dralloc_outcome_free(outcome));
    OK(dralloc_transaction_free(transaction));
  }
  OK(dralloc_workspace_free(workspace));
  return (void *)(size_t)ROUNDS;
}

/* Frees what another thread frees, too: one of them does. */
static void *free_the_same(void *handles) {
  size_t freed = 0;
  for (int place = 0; place < ROUNDS; place++) {
    dralloc_status status = dralloc_savepoint_free(((dralloc_savepoint **)handles)[place]);
    CHECK(status == DRALLOC_STATUS_OK || status == DRALLOC_STATUS_WRONG_HANDLE ||
          status == DRALLOC_STATUS_BUSY);
    freed += status == DRALLOC_STATUS_OK;
  }
  return (void *)freed;
}

static size_t on_two_threads(void *(*work)(void *), void *argument) {
  pthread_t other;
  void *one, *two;
  CHECK(pthread_create(&other, NULL, work, argument) == 0);
  one = work(argument);
  CHECK(pthread_join(other, &two) == 0);
  return (size_t)one + (size_t)two;
}

static void threads(void) {
  static dralloc_savepoint *savepoints[ROUNDS];
  dralloc_transaction *transaction = transaction_of();
  size_t answered = on_two_threads(ask_the_same, transaction);
  CHECK(answered > 0 && answered <= 2 * ROUNDS);
  CHECK(on_two_threads(ask_its_own, NULL) == 2 * ROUNDS);
  for (int place = 0; place < ROUNDS; place++) {
    OK(dralloc_transaction_savepoint(transaction, &savepoints[place], &error));
  }
  CHECK(on_two_threads(free_the_same, savepoints) == ROUNDS);
  OK(dralloc_transaction_free(transaction));
}

int main(void) {
  begin();
  nulls();
  freed_and_wrong();
  freed_for_a_while();
  texts();
  numbers();
  spent();
  stopped();
  threads();
  end();
  CHECK(dralloc_live_handles() == 0);
  puts("ok");
  return 0;
}
