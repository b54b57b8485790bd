/* Calls of all sorts at random, by a caller who gets most things wrong: handles that are
 * null, freed, or of another sort, texts that are none, threads that use and free the
 * same. Arguments: seed, calls of each thread, threads. One thread alone also uses
 * handles that it has freed, and prints a digest of all answers: of the last it has
 * freed, since what an older one is by then depends on where the stack lies. With 0
 * threads it is one that uses older ones, too, without a digest. */
#include "hostile_text.h"

#include <pthread.h>

enum noun {
  ENGINE, SNAPSHOT, TRANSACTION, SAVEPOINT, CLAIMS, OPTIONS, CANCEL, WORKSPACE, NODE_LIST,
  OUTCOME, PLACEMENT, TRACE, BYTES, ERROR, NOUNS
};

#define EACH 4
/* Fewer than rest on a shelf of the library before a slot is used again. */
#define FREED 64
#define DEVICES 4

/* Is what a thread has, and what it has freed. */
struct pool {
  struct chance chance;
  void *handles[NOUNS][EACH];
  void *freed[FREED];
  size_t frees;
  size_t calls;
  uint64_t digest;
  int is_alone;
  /* Whether handles that were freed long ago are used. */
  int keeps_old;
};

/* Texts that only the library can write. */
static char *dump, *trace, *certificate;

/* What all threads use. Those that one thread may use at a time are freed, too, by any. */
static void *common[NOUNS];

static int is_exclusive(enum noun noun) {
  return noun == ENGINE || noun == TRANSACTION || noun == WORKSPACE;
}

static dralloc_status free_handle(enum noun noun, void *handle) {
  switch (noun) {
  case ENGINE: return dralloc_engine_free(handle);
  case SNAPSHOT: return dralloc_snapshot_free(handle);
  case TRANSACTION: return dralloc_transaction_free(handle);
  case SAVEPOINT: return dralloc_savepoint_free(handle);
  case CLAIMS: return dralloc_claims_free(handle);
  case OPTIONS: return dralloc_options_free(handle);
  case CANCEL: return dralloc_cancel_free(handle);
  case WORKSPACE: return dralloc_workspace_free(handle);
  case NODE_LIST: return dralloc_node_list_free(handle);
  case OUTCOME: return dralloc_outcome_free(handle);
  case PLACEMENT: return dralloc_placement_free(handle);
  case TRACE: return dralloc_trace_free(handle);
  case BYTES: return dralloc_bytes_free(handle);
  default: return dralloc_error_free(handle);
  }
}

/* Frees a handle that another thread may be using or freeing. */
static void free_common(enum noun noun, void *handle) {
  dralloc_status status;
  do {
    status = free_handle(noun, handle);
  } while (status == DRALLOC_STATUS_BUSY);
  CHECK(status == DRALLOC_STATUS_OK);
}

/* Returns a handle, mostly a right one. */
static void *pick(struct pool *pool, enum noun noun) {
  struct chance *chance = &pool->chance;
  if (one_in(chance, 40)) {
    return NULL;
  }
  if (pool->is_alone && one_in(chance, 30)) {
    return pool->freed[below(chance, FREED)];
  }
  if (!pool->is_alone && one_in(chance, 2) && common[noun] != NULL) {
    return __atomic_load_n(&common[noun], __ATOMIC_RELAXED);
  }
  if (one_in(chance, 40)) {
    noun = (enum noun)below(chance, NOUNS);
  }
  return pool->handles[noun][below(chance, EACH)];
}

/* Keeps a new handle in the place of another, which is freed, and sometimes once more. */
static void keep(struct pool *pool, enum noun noun, void *handle) {
  struct chance *chance = &pool->chance;
  void **place = &pool->handles[noun][below(chance, EACH)];
  dralloc_status status;
  if (!pool->is_alone && is_exclusive(noun) && one_in(chance, 8)) {
    free_common(noun, __atomic_exchange_n(&common[noun], handle, __ATOMIC_ACQ_REL));
    return;
  }
  status = free_handle(noun, *place);
  CHECK(status == DRALLOC_STATUS_OK ||
        (pool->is_alone && status == DRALLOC_STATUS_WRONG_HANDLE));
  if (*place != NULL && one_in(chance, 8)) {
    CHECK(free_handle(noun, *place) == DRALLOC_STATUS_WRONG_HANDLE);
  }
  pool->freed[pool->keeps_old ? below(chance, FREED) : pool->frees++ % FREED] = *place;
  *place = handle;
}

static void digest(struct pool *pool, const void *data, size_t length) {
  for (size_t place = 0; place < length; place++) {
    pool->digest = (pool->digest ^ ((const uint8_t *)data)[place]) * 0x100000001b3ull;
  }
}

/* Checks what a call says of itself. */
static void answered(struct pool *pool, dralloc_status status, dralloc_error *error,
                     int is_wanted) {
  const uint8_t *data = NULL;
  size_t length = 0;
  dralloc_status same = DRALLOC_STATUS_OK;
  pool->calls++;
  digest(pool, &status, sizeof status);
  CHECK(status != DRALLOC_STATUS_PANIC && status != DRALLOC_STATUS_POISONED);
  CHECK(status != DRALLOC_STATUS_INTERNAL);
  CHECK(status != DRALLOC_STATUS_BUSY || !pool->is_alone);
  CHECK((error != NULL) == (is_wanted && status != DRALLOC_STATUS_OK));
  if (error == NULL) {
    return;
  }
  CHECK(dralloc_error_status(error, &same) == DRALLOC_STATUS_OK && same == status);
  CHECK(dralloc_error_message(error, &data, &length) == DRALLOC_STATUS_OK);
  CHECK(length > 0 && data[length - 1] != '.' && memchr(data, '\n', length) == NULL);
  digest(pool, data, length);
  CHECK(dralloc_error_path(error, &data, &length) == DRALLOC_STATUS_OK);
  digest(pool, data, length);
  CHECK(dralloc_error_json(error, &data, &length) == DRALLOC_STATUS_OK);
  CHECK(length > 2 && data[0] == '{' && data[length - 1] == '}');
  keep(pool, ERROR, error);
}

/* The handle of a sort, the two arguments of a text, and where errors are wanted. */
#define THE(noun) pick(pool, noun)
#define AS(text) (text).data, (text).length
#define WHERE (is_wanted ? &error : NULL)
/* A call that makes something, one that writes a text, and one that does neither. */
#define MAKES(noun, type, call)                                                   \
  do {                                                                            \
    type *made = (type *)&mark;                                                   \
    status = (call);                                                              \
    CHECK((made != (type *)&mark) == (status == DRALLOC_STATUS_OK));              \
    if (status == DRALLOC_STATUS_OK) {                                            \
      keep(pool, noun, made);                                                     \
    }                                                                             \
  } while (0)
#define SHOWS(call)                                                               \
  do {                                                                            \
    const uint8_t *data = &mark;                                                  \
    size_t length = 77;                                                           \
    status = (call);                                                              \
    CHECK((data == &mark && length == 77) == (status != DRALLOC_STATUS_OK));      \
    if (status == DRALLOC_STATUS_OK) {                                            \
      digest(pool, data, length);                                                 \
    }                                                                             \
  } while (0)
#define DOES(call) status = (call)

/* Makes one call. */
static void call(struct pool *pool) {
  static const uint8_t mark;
  struct chance *chance = &pool->chance;
  dralloc_error *error = NULL;
  int is_wanted = !one_in(chance, 4);
  dralloc_status status = DRALLOC_STATUS_OK, seen;
  struct text one = {NULL, NULL, 0}, two = one, three = one, four = one;
  uint32_t number = (uint32_t)below(chance, 3);
  uint64_t revision;
  size_t place = one_in(chance, 8) ? SIZE_MAX - below(chance, 2) : below(chance, 2);
  size_t counts[3] = {0, 0, 0};
  size_t capacity = one_in(chance, 4) ? 0 : DEVICES;
  dralloc_device devices[DEVICES];
  dralloc_placed_node nodes[DEVICES];
  dralloc_outcome_kind kind;
  dralloc_bytes *unwanted = NULL;
  dralloc_bytes **applied = one_in(chance, 2) ? &unwanted : NULL;
  const char *claims = one_in(chance, 2) ? CLAIM("a", "1") : CLAIM("b", "2");
  switch (below(chance, 64)) {
#define TEXTS(first, second, third)                                               \
  one = any_text(chance, first), two = any_text(chance, second), three = any_text(chance, third)
  case 0: TEXTS("", "", ""); MAKES(ENGINE, dralloc_engine, dralloc_engine_new(AS(one), &made, WHERE)); break;
  case 1: TEXTS(dump, "", ""); MAKES(ENGINE, dralloc_engine, dralloc_engine_load(AS(one), &made, WHERE)); break;
  case 2: case 3: case 4: case 5:
    TEXTS(NODE CLASS SLICE, "", ""); DOES(dralloc_engine_apply(THE(ENGINE), AS(one), applied, WHERE)); break;
  case 6: TEXTS("{\"removed\":{\"kind\":\"Node\",\"name\":\"node-1\"}}", "", "");
    DOES(dralloc_engine_change(THE(ENGINE), AS(one), applied, WHERE)); break;
  case 7: TEXTS("Node", "[" NODE "]", ""); DOES(dralloc_engine_replace(THE(ENGINE), AS(one), AS(two), applied, WHERE)); break;
  case 8: TEXTS("a", "", ""); DOES(dralloc_engine_forget(THE(ENGINE), AS(one), applied, WHERE)); break;
  case 9: TEXTS("a", "", ""); DOES(dralloc_engine_is_assumed(THE(ENGINE), AS(one), &number, WHERE)); break;
  case 10: case 11: MAKES(SNAPSHOT, dralloc_snapshot, dralloc_engine_snapshot(THE(ENGINE), &made, WHERE)); break;
  case 12: MAKES(BYTES, dralloc_bytes, dralloc_engine_dump(THE(ENGINE), &made, WHERE)); break;
  case 13: if (one_in(chance, 8)) { MAKES(TRACE, dralloc_trace, dralloc_engine_record(THE(ENGINE), &made, WHERE)); } break;
  case 14: MAKES(BYTES, dralloc_bytes, dralloc_trace_take(THE(TRACE), &made, WHERE)); break;
  case 15: TEXTS(trace, "", ""); MAKES(BYTES, dralloc_bytes, dralloc_trace_replay(AS(one), &made, WHERE)); break;
  case 16: DOES(dralloc_snapshot_revision(THE(SNAPSHOT), &revision, WHERE)); break;
  case 17: case 18: case 19:
    TEXTS(claims, "", ""); MAKES(CLAIMS, dralloc_claims, dralloc_snapshot_prepare(THE(SNAPSHOT), AS(one), &made, WHERE)); break;
  case 20: case 21:
    MAKES(TRANSACTION, dralloc_transaction, dralloc_snapshot_transaction(THE(SNAPSHOT), &made, WHERE)); break;
  case 22: TEXTS("[\"node-1\"]", "", ""); MAKES(NODE_LIST, dralloc_node_list, dralloc_snapshot_node_list(THE(SNAPSHOT), AS(one), &made, WHERE)); break;
  case 23: MAKES(BYTES, dralloc_bytes, dralloc_snapshot_nodes(THE(SNAPSHOT), &made, WHERE)); break;
  case 24: MAKES(BYTES, dralloc_bytes, dralloc_snapshot_device(THE(SNAPSHOT), number, &made, WHERE)); break;
  case 25: MAKES(BYTES, dralloc_bytes, dralloc_snapshot_dump(THE(SNAPSHOT), &made, WHERE)); break;
  case 26: TEXTS("Node", "node-1", ""); MAKES(BYTES, dralloc_bytes, dralloc_snapshot_objects(THE(SNAPSHOT), AS(one), AS(two), &made, WHERE)); break;
  case 27: MAKES(BYTES, dralloc_bytes, dralloc_snapshot_features(THE(SNAPSHOT), &made, WHERE)); break;
  case 28: TEXTS("{\"policy\":\"pack\",\"branches\":1000}", "", "");
    MAKES(OPTIONS, dralloc_options, dralloc_options_new(AS(one), THE(CANCEL), &made, WHERE)); break;
  case 29: MAKES(CANCEL, dralloc_cancel, dralloc_cancel_new(&made, WHERE)); break;
  case 30: DOES(dralloc_cancel_set(THE(CANCEL), number, WHERE)); break;
  case 31: MAKES(WORKSPACE, dralloc_workspace, dralloc_workspace_new(&made, WHERE)); break;
  case 32: MAKES(BYTES, dralloc_bytes, dralloc_workspace_statistics(THE(WORKSPACE), &made, WHERE)); break;
  case 33: DOES(dralloc_claims_count(THE(CLAIMS), counts, WHERE)); break;
  case 34: DOES(dralloc_node_list_count(THE(NODE_LIST), counts, WHERE)); break;
  case 35: SHOWS(dralloc_node_list_name(THE(NODE_LIST), place, &data, &length, WHERE)); break;
  case 36: case 37: case 38: TEXTS("node-1", "", "");
    MAKES(OUTCOME, dralloc_outcome, dralloc_transaction_allocate(THE(TRANSACTION), AS(one), THE(CLAIMS), THE(OPTIONS), THE(WORKSPACE), &made, WHERE)); break;
  case 40: {
    uint8_t json[600];
    size_t room = below(chance, sizeof json + 1), written;
    dralloc_outcome *rest = NULL;
    TEXTS("node-1", "", "");
    DOES(dralloc_transaction_allocate_into(THE(TRANSACTION), AS(one), THE(CLAIMS), THE(OPTIONS), THE(WORKSPACE), &kind, json, room, &written, devices, capacity, counts, &rest, WHERE));
    if (status == DRALLOC_STATUS_OK && rest == NULL) { digest(pool, json, written); }
    if (rest != NULL) { keep(pool, OUTCOME, rest); }
    break;
  }
  case 39:
    DOES(dralloc_transaction_allocate_devices(THE(TRANSACTION), THE(NODE_LIST), place, THE(CLAIMS), THE(OPTIONS), THE(WORKSPACE), &kind, devices, capacity, counts, WHERE));
    break;
  case 41: TEXTS("node-1", "", "");
    MAKES(OUTCOME, dralloc_outcome, dralloc_transaction_satisfiable(THE(TRANSACTION), AS(one), THE(CLAIMS), THE(OPTIONS), THE(WORKSPACE), &made, WHERE)); break;
  case 42: MAKES(PLACEMENT, dralloc_placement, dralloc_transaction_place(THE(TRANSACTION), THE(CLAIMS), THE(NODE_LIST), THE(OPTIONS), THE(WORKSPACE), &made, WHERE)); break;
  case 43: MAKES(PLACEMENT, dralloc_placement, dralloc_transaction_place_and_allocate(THE(TRANSACTION), THE(CLAIMS), THE(NODE_LIST), THE(OPTIONS), THE(WORKSPACE), &made, WHERE)); break;
  case 63: {
    const dralloc_claims *members[] = {THE(CLAIMS), THE(CLAIMS)};
    MAKES(BYTES, dralloc_bytes, dralloc_transaction_gang(THE(TRANSACTION), one_in(chance, 8) ? NULL : members, place, THE(NODE_LIST), THE(OPTIONS), THE(WORKSPACE), &made, WHERE)); break;
  }
  case 44: TEXTS("node-1", "", "");
    MAKES(BYTES, dralloc_bytes, dralloc_transaction_explain(THE(TRANSACTION), AS(one), THE(CLAIMS), THE(OPTIONS), THE(WORKSPACE), &made, WHERE)); break;
  case 45: TEXTS("node-1", "", "");
    MAKES(BYTES, dralloc_bytes, dralloc_transaction_runner_up(THE(TRANSACTION), AS(one), THE(CLAIMS), THE(OPTIONS), THE(WORKSPACE), &made, WHERE)); break;
  case 46: TEXTS("node-1", "", "");
    MAKES(BYTES, dralloc_bytes, dralloc_transaction_certificate(THE(TRANSACTION), AS(one), THE(CLAIMS), THE(OPTIONS), THE(WORKSPACE), &made, WHERE)); break;
  case 47: TEXTS("node-1", claims, "[" RESULT("gpu-0") "]");
    MAKES(BYTES, dralloc_bytes, dralloc_transaction_verify(THE(TRANSACTION), AS(one), AS(two), AS(three), &made, WHERE)); break;
  case 48: TEXTS("node-1", claims, certificate);
    MAKES(BYTES, dralloc_bytes, dralloc_transaction_verify_certificate(THE(TRANSACTION), AS(one), AS(two), AS(three), &made, WHERE)); break;
  case 49: TEXTS("node-1", claims, "[" RESULT("gpu-0") "]"); four = any_text(chance, certificate);
    MAKES(BYTES, dralloc_bytes, dralloc_transaction_verify_optimality(THE(TRANSACTION), AS(one), AS(two), AS(three), AS(four), &made, WHERE)); break;
  case 50: MAKES(SAVEPOINT, dralloc_savepoint, dralloc_transaction_savepoint(THE(TRANSACTION), &made, WHERE)); break;
  case 51: DOES(dralloc_transaction_rollback(THE(TRANSACTION), THE(SAVEPOINT), WHERE)); break;
  case 52: MAKES(TRANSACTION, dralloc_transaction, dralloc_transaction_clone(THE(TRANSACTION), &made, WHERE)); break;
  case 53: DOES(dralloc_transaction_commit(THE(TRANSACTION), THE(ENGINE), applied, WHERE)); break;
  case 54: MAKES(BYTES, dralloc_bytes, dralloc_transaction_dump(THE(TRANSACTION), &made, WHERE)); break;
  case 55: TEXTS(claims, RESULT("gpu-0"), "pod-1");
    switch (below(chance, 5)) {
    case 0: DOES(dralloc_transaction_hold(THE(TRANSACTION), AS(one), AS(two), WHERE)); break;
    case 1: DOES(dralloc_transaction_release(THE(TRANSACTION), AS(one), &number, WHERE)); break;
    case 2: DOES(dralloc_transaction_reserve(THE(TRANSACTION), AS(one), AS(three), &number, WHERE)); break;
    case 3: DOES(dralloc_transaction_unreserve(THE(TRANSACTION), AS(one), AS(three), &number, WHERE)); break;
    default: DOES(dralloc_transaction_mark_releasing(THE(TRANSACTION), AS(one), number, NULL, WHERE)); break;
    }
    break;
  case 56: TEXTS("node-1", "pod-1", "{\"cpu\":\"1\"}");
    switch (below(chance, 5)) {
    case 0: DOES(dralloc_transaction_add_node(THE(TRANSACTION), AS(two), AS(one), WHERE)); break;
    case 1: DOES(dralloc_transaction_remove_node(THE(TRANSACTION), AS(one), WHERE)); break;
    case 2: DOES(dralloc_transaction_take_amounts(THE(TRANSACTION), AS(one), AS(two), AS(three), WHERE)); break;
    case 3: DOES(dralloc_transaction_release_amounts(THE(TRANSACTION), AS(two), NULL, WHERE)); break;
    default: MAKES(BYTES, dralloc_bytes, dralloc_transaction_amounts_in_use(THE(TRANSACTION), AS(one), &made, WHERE)); break;
    }
    break;
  case 57: TEXTS(claims, "", "");
    if (one_in(chance, 2)) { MAKES(BYTES, dralloc_bytes, dralloc_objects_validate(AS(one), AS(two), &made, WHERE)); }
    else { MAKES(BYTES, dralloc_bytes, dralloc_objects_default(AS(one), &made, WHERE)); }
    break;
  case 58: DOES(dralloc_outcome_get_kind(THE(OUTCOME), &kind, WHERE)); break;
  case 59:
    if (one_in(chance, 2)) { SHOWS(dralloc_outcome_json(THE(OUTCOME), &data, &length, WHERE)); }
    else { SHOWS(dralloc_outcome_results(THE(OUTCOME), &data, &length, WHERE)); }
    break;
  case 60: DOES(dralloc_outcome_devices(THE(OUTCOME), THE(SNAPSHOT), devices, capacity, counts, WHERE)); break;
  case 61:
    switch (below(chance, 5)) {
    case 0: DOES(dralloc_placement_counts(THE(PLACEMENT), counts, NULL, counts + 2, WHERE)); break;
    case 1: DOES(dralloc_placement_nodes(THE(PLACEMENT), nodes, capacity, counts, WHERE)); break;
    case 2: SHOWS(dralloc_placement_node_name(THE(PLACEMENT), place, &data, &length, WHERE)); break;
    case 3: MAKES(OUTCOME, dralloc_outcome, dralloc_placement_outcome(THE(PLACEMENT), place, &made, WHERE)); break;
    default: MAKES(BYTES, dralloc_bytes, dralloc_placement_json(THE(PLACEMENT), &made, WHERE)); break;
    }
    break;
  default:
    if (one_in(chance, 2)) { SHOWS(dralloc_bytes_data(THE(BYTES), &data, &length, WHERE)); }
    else { is_wanted = 0; DOES(dralloc_error_status(THE(ERROR), &seen)); }
    break;
  }
  if (status == DRALLOC_STATUS_OK && unwanted != NULL) {
    keep(pool, BYTES, unwanted);
  }
  answered(pool, status, error, is_wanted);
  free(one.memory), free(two.memory), free(three.memory), free(four.memory);
}

/* Begins with something of each sort. */
static void begin(struct pool *pool) {
  dralloc_engine *engine = two_devices();
  dralloc_snapshot *snapshot = NULL;
  dralloc_transaction *transaction = NULL;
  OK(dralloc_engine_snapshot(engine, &snapshot, &error));
  OK(dralloc_snapshot_transaction(snapshot, &transaction, &error));
  pool->handles[ENGINE][0] = engine;
  pool->handles[SNAPSHOT][0] = snapshot;
  pool->handles[TRANSACTION][0] = transaction;
  OK(dralloc_workspace_new((dralloc_workspace **)&pool->handles[WORKSPACE][0], &error));
  OK(dralloc_snapshot_prepare(snapshot, TEXT(CLAIM("a", "1")),
                              (dralloc_claims **)&pool->handles[CLAIMS][0], &error));
  OK(dralloc_cancel_new((dralloc_cancel **)&pool->handles[CANCEL][0], &error));
  OK(dralloc_options_new(TEXT("{\"find\":\"all\"}"), pool->handles[CANCEL][0],
                         (dralloc_options **)&pool->handles[OPTIONS][0], &error));
  OK(dralloc_snapshot_node_list(snapshot, NULL, 0,
                                (dralloc_node_list **)&pool->handles[NODE_LIST][0], &error));
}

/* Returns bytes as a text that ends with a zero, and frees them. */
static char *text_of(dralloc_bytes *bytes) {
  const uint8_t *data = NULL;
  size_t length = 0;
  char *text;
  OK(dralloc_bytes_data(bytes, &data, &length, &error));
  text = calloc(1, length + 1);
  CHECK(text != NULL);
  memcpy(text, data, length);
  OK(dralloc_bytes_free(bytes));
  return text;
}

static void write_texts(void) {
  dralloc_engine *engine = two_devices();
  dralloc_snapshot *snapshot = NULL;
  dralloc_claims *claims = NULL;
  dralloc_transaction *transaction = NULL;
  dralloc_trace *recorded = NULL;
  dralloc_outcome *outcome = NULL;
  dralloc_bytes *bytes = NULL;
  OK(dralloc_engine_dump(engine, &bytes, &error));
  dump = text_of(bytes);
  OK(dralloc_engine_record(engine, &recorded, &error));
  OK(dralloc_engine_snapshot(engine, &snapshot, &error));
  OK(dralloc_snapshot_prepare(snapshot, TEXT(CLAIM("a", "3")), &claims, &error));
  OK(dralloc_snapshot_transaction(snapshot, &transaction, &error));
  OK(dralloc_transaction_allocate(transaction, TEXT("node-1"), claims, NULL, NULL, &outcome,
                                  &error));
  OK(dralloc_transaction_certificate(transaction, TEXT("node-1"), claims, NULL, NULL, &bytes,
                                     &error));
  certificate = text_of(bytes);
  /* The certificate alone, without what says that it is one. */
  memmove(certificate, strstr(certificate, ":{") + 1, strlen(strstr(certificate, ":{")));
  certificate[strlen(certificate) - 1] = '\0';
  OK(dralloc_transaction_free(transaction));
  OK(dralloc_trace_take(recorded, &bytes, &error));
  trace = text_of(bytes);
  OK(dralloc_outcome_free(outcome));
  OK(dralloc_claims_free(claims));
  OK(dralloc_snapshot_free(snapshot));
  OK(dralloc_trace_free(recorded));
  OK(dralloc_engine_free(engine));
}

static void end(struct pool *pool) {
  for (int noun = 0; noun < NOUNS; noun++) {
    for (int place = 0; place < EACH; place++) {
      dralloc_status status = free_handle((enum noun)noun, pool->handles[noun][place]);
      CHECK(status == DRALLOC_STATUS_OK ||
            (pool->is_alone && status == DRALLOC_STATUS_WRONG_HANDLE));
    }
  }
}

static size_t calls_of_each;

static void *work(void *argument) {
  struct pool *pool = argument;
  begin(pool);
  for (size_t number = 0; number < calls_of_each; number++) {
    call(pool);
  }
  end(pool);
  return NULL;
}

#define MOST_THREADS 8
/* A stack as small as the header promises to be enough. */
#define STACK (512 * 1024)

int main(int count, char **arguments) {
  static struct pool pools[MOST_THREADS], shared;
  pthread_t threads[MOST_THREADS];
  pthread_attr_t small;
  size_t thread_count;
  int keeps_old;
  CHECK(count == 4);
  calls_of_each = strtoul(arguments[2], NULL, 10);
  thread_count = strtoul(arguments[3], NULL, 10);
  keeps_old = thread_count == 0;
  thread_count += (size_t)keeps_old;
  CHECK(thread_count <= MOST_THREADS);
  CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, STACK) == 0);
  write_texts();
  if (thread_count > 1) {
    begin(&shared);
    for (int noun = 0; noun < NOUNS; noun++) {
      common[noun] = shared.handles[noun][0];
    }
  }
  for (size_t number = 0; number < thread_count; number++) {
    pools[number].chance.state = strtoull(arguments[1], NULL, 10) * MOST_THREADS + number + 1;
    pools[number].is_alone = thread_count == 1;
    pools[number].keeps_old = keeps_old;
    CHECK(pthread_create(&threads[number], &small, work, &pools[number]) == 0);
  }
  for (size_t number = 0; number < thread_count; number++) {
    CHECK(pthread_join(threads[number], NULL) == 0);
    CHECK(pools[number].calls == calls_of_each);
  }
  for (int noun = 0; noun < NOUNS; noun++) {
    CHECK(free_handle((enum noun)noun, common[noun]) == DRALLOC_STATUS_OK);
  }
  CHECK(dralloc_live_handles() == 0);
  free(dump), free(trace), free(certificate);
  printf("%016llx\n", (unsigned long long)(thread_count == 1 && !keeps_old ? pools[0].digest : 0));
  return 0;
}
