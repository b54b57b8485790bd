/* Times calls through the header: objects and claim are files, the third argument is how
 * many calls are one sample. Prints a name and nanoseconds for each, the least of the
 * samples; and how much more two threads do than one, in numbers and as text. */
#include <dralloc.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SAMPLES 25
#define NODE (const uint8_t *)"node-0000", 9

static dralloc_status must(dralloc_status status) {
  if (status != DRALLOC_STATUS_OK) {
    fprintf(stderr, "status %u\n", (unsigned)status);
    exit(1);
  }
  return status;
}

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    exit(1);
  }
  *length = (size_t)ftell(file);
  text = malloc(*length + 1);
  rewind(file);
  if (text == NULL || fread(text, 1, *length, file) != *length) {
    exit(1);
  }
  fclose(file);
  return text;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static dralloc_engine *engine;
static dralloc_snapshot *snapshot;
static dralloc_transaction *transaction;
static dralloc_workspace *workspace;
static dralloc_claims *claims;
static dralloc_node_list *nodes;
static dralloc_savepoint *start;
static dralloc_options *all;
static char *claim;
static size_t claim_length;

static void nothing(void) { (void)dralloc_abi_version(); }

static void checked(void) {
  size_t count;
  must(dralloc_claims_count(claims, &count, NULL));
}

static void binary(void) {
  dralloc_outcome_kind kind;
  dralloc_device devices[8];
  size_t count;
  must(dralloc_transaction_allocate_devices(transaction, nodes, 0, claims, NULL, workspace,
                                            &kind, devices, 8, &count, NULL));
  must(dralloc_transaction_rollback(transaction, start, NULL));
}

static void answer(const dralloc_claims *asked) {
  dralloc_outcome *outcome;
  const uint8_t *data;
  size_t length;
  must(dralloc_transaction_allocate(transaction, NODE, asked, NULL, workspace, &outcome, NULL));
  must(dralloc_outcome_results(outcome, &data, &length, NULL));
  must(dralloc_outcome_free(outcome));
  must(dralloc_transaction_rollback(transaction, start, NULL));
}

static void json(void) { answer(claims); }

static void cold(void) {
  dralloc_claims *cold_claims;
  must(dralloc_snapshot_prepare(snapshot, (const uint8_t *)claim, claim_length, &cold_claims,
                                NULL));
  answer(cold_claims);
  must(dralloc_claims_free(cold_claims));
}

static void place(void) {
  dralloc_placement *placement;
  size_t feasible;
  must(dralloc_transaction_place(transaction, claims, nodes, all, workspace, &placement, NULL));
  must(dralloc_placement_counts(placement, NULL, &feasible, NULL, NULL));
  must(dralloc_placement_free(placement));
}

/* What a thread has for itself. */
struct own {
  dralloc_transaction *transaction;
  dralloc_workspace *workspace;
  dralloc_savepoint *start;
  const char *node;
  size_t place;
  int calls;
};

static void *number_often(void *argument) {
  struct own *own = argument;
  for (int number = 0; number < own->calls; number++) {
    dralloc_outcome_kind kind;
    dralloc_device devices[8];
    size_t count;
    must(dralloc_transaction_allocate_devices(own->transaction, nodes, own->place, claims, NULL,
                                              own->workspace, &kind, devices, 8, &count, NULL));
    must(dralloc_transaction_rollback(own->transaction, own->start, NULL));
  }
  return NULL;
}

static void *answer_often(void *argument) {
  struct own *own = argument;
  for (int number = 0; number < own->calls; number++) {
    dralloc_outcome *outcome;
    const uint8_t *data;
    size_t length;
    must(dralloc_transaction_allocate(own->transaction, (const uint8_t *)own->node,
                                      strlen(own->node), claims, NULL, own->workspace, &outcome,
                                      NULL));
    must(dralloc_outcome_results(outcome, &data, &length, NULL));
    must(dralloc_outcome_free(outcome));
    must(dralloc_transaction_rollback(own->transaction, own->start, NULL));
  }
  return NULL;
}

static void time_two_threads(const char *name, void *(*often)(void *), int calls) {
  struct own own[2];
  double one = 1e18, two = 1e18;
  for (int thread = 0; thread < 2; thread++) {
    must(dralloc_snapshot_transaction(snapshot, &own[thread].transaction, NULL));
    must(dralloc_workspace_new(&own[thread].workspace, NULL));
    must(dralloc_transaction_savepoint(own[thread].transaction, &own[thread].start, NULL));
    own[thread].node = thread == 0 ? "node-0000" : "node-4000";
    own[thread].place = thread == 0 ? 0 : 4000;
    own[thread].calls = calls;
  }
  /* More and shorter ones than else: both threads have to get a core. */
  for (int sample = 0; sample < 16 * SAMPLES; sample++) {
    pthread_t other;
    double begin = now(), middle;
    often(&own[0]);
    middle = now();
    if (pthread_create(&other, NULL, often, &own[1]) != 0) {
      exit(1);
    }
    often(&own[0]);
    pthread_join(other, NULL);
    one = middle - begin < one ? middle - begin : one;
    two = now() - middle < two ? now() - middle : two;
  }
  printf("%s %.2f\n", name, 2 * one / two);
}

static void time_calls(const char *name, void (*call)(void), int calls) {
  double least = 1e18;
  call();
  for (int sample = 0; sample < SAMPLES; sample++) {
    double begin = now();
    for (int number = 0; number < calls; number++) {
      call();
    }
    double each = (now() - begin) / calls;
    least = each < least ? each : least;
  }
  printf("%s %.1f\n", name, least);
}

int main(int count, char **arguments) {
  size_t length;
  char *objects;
  int calls;
  const char *options = "{\"find\":\"all\"}";
  if (count != 4) {
    return 2;
  }
  objects = read_file(arguments[1], &length);
  claim = read_file(arguments[2], &claim_length);
  calls = atoi(arguments[3]);
  must(dralloc_engine_new(NULL, 0, &engine, NULL));
  must(dralloc_engine_apply(engine, (const uint8_t *)objects, length, NULL, NULL));
  must(dralloc_engine_snapshot(engine, &snapshot, NULL));
  must(dralloc_snapshot_transaction(snapshot, &transaction, NULL));
  must(dralloc_snapshot_node_list(snapshot, NULL, 0, &nodes, NULL));
  must(dralloc_snapshot_prepare(snapshot, (const uint8_t *)claim, claim_length, &claims, NULL));
  must(dralloc_workspace_new(&workspace, NULL));
  must(dralloc_transaction_savepoint(transaction, &start, NULL));
  must(dralloc_options_new((const uint8_t *)options, strlen(options), NULL, &all, NULL));
  time_calls("nothing", nothing, calls);
  time_calls("checked", checked, calls);
  time_calls("binary", binary, calls);
  time_calls("json", json, calls);
  time_calls("cold", cold, calls);
  time_calls("place", place, calls / 1000 + 1);
  time_two_threads("two-binary", number_often, calls / 4 + 1);
  time_two_threads("two-json", answer_often, calls / 4 + 1);
  return 0;
}
