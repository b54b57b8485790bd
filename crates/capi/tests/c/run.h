/* Makes one call of the corpus. */
#ifndef RUN_H
#define RUN_H

#include "support.h"

#define MOST_FIELDS 8
#define MOST_SAVEPOINTS 64
#define MOST_DEVICES 256
#define MOST_MEMBERS 16

/* Is all that there is at a time. */
struct world {
  dralloc_engine *engine;
  dralloc_snapshot *snapshot;
  dralloc_transaction *transaction;
  dralloc_claims *claims;
  dralloc_options *options;
  dralloc_workspace *workspace;
  dralloc_outcome *outcome;
  dralloc_placement *placement;
  dralloc_savepoint *savepoints[MOST_SAVEPOINTS];
  size_t savepoint_count;
  /* The members of the next gang. */
  dralloc_claims *members[MOST_MEMBERS];
  size_t member_count;
  dralloc_trace *trace;
  /* What was taken of the trace. */
  char *lines;
};

/* Is a line of text that grows. */
struct line {
  char *text;
  size_t length;
};

static void add(struct line *line, const void *text, size_t length) {
  line->text = realloc(line->text, line->length + length + 1);
  CHECK(line->text != NULL);
  memcpy(line->text + line->length, text, length);
  line->length += length;
  line->text[line->length] = '\0';
}

static void add_text(struct line *line, const char *text) { add(line, text, strlen(text)); }

static void add_number(struct line *line, uint64_t number) {
  char text[24];
  snprintf(text, sizeof text, "%llu", (unsigned long long)number);
  add_text(line, text);
}

/* Adds bytes that a call has made, and frees them. */
static void add_bytes(struct line *line, dralloc_bytes *bytes) {
  const uint8_t *data = NULL;
  size_t length = 0;
  OK(dralloc_bytes_data(bytes, &data, &length, &error));
  add(line, data, length);
  OK(dralloc_bytes_free(bytes));
}

static void free_savepoints(struct world *world) {
  for (size_t place = 0; place < world->savepoint_count; place++) {
    OK(dralloc_savepoint_free(world->savepoints[place]));
  }
  world->savepoint_count = 0;
}

static void free_members(struct world *world) {
  for (size_t place = 0; place < world->member_count; place++) {
    OK(dralloc_claims_free(world->members[place]));
  }
  world->member_count = 0;
}

static void end_world(struct world *world) {
  free_savepoints(world);
  free_members(world);
  OK(dralloc_placement_free(world->placement));
  OK(dralloc_outcome_free(world->outcome));
  OK(dralloc_workspace_free(world->workspace));
  OK(dralloc_options_free(world->options));
  OK(dralloc_claims_free(world->claims));
  OK(dralloc_transaction_free(world->transaction));
  OK(dralloc_snapshot_free(world->snapshot));
  OK(dralloc_engine_free(world->engine));
  OK(dralloc_trace_free(world->trace));
  free(world->lines);
  memset(world, 0, sizeof *world);
}

/* Begins anew, if there can be an engine with such features. */
static dralloc_status begin_with(struct world *world, const char *features,
                                 dralloc_error **error) {
  dralloc_engine *engine = NULL;
  dralloc_status status = dralloc_engine_new(TEXT(features), &engine, error);
  if (status == DRALLOC_STATUS_OK) {
    end_world(world);
    world->engine = engine;
    OK(dralloc_engine_snapshot(engine, &world->snapshot, &error));
    OK(dralloc_workspace_new(&world->workspace, &error));
  }
  return status;
}

static void begin(struct world *world, const char *features) {
  OK(begin_with(world, features, &error));
}

static void new_savepoint(struct world *world) {
  CHECK(world->savepoint_count < MOST_SAVEPOINTS);
  OK(dralloc_transaction_savepoint(
      world->transaction, &world->savepoints[world->savepoint_count], &error));
  world->savepoint_count++;
}

static void reload(struct world *world) {
  dralloc_bytes *dump = NULL;
  dralloc_engine *engine = NULL;
  const uint8_t *data = NULL;
  size_t length = 0;
  OK(dralloc_engine_dump(world->engine, &dump, &error));
  OK(dralloc_bytes_data(dump, &data, &length, &error));
  OK(dralloc_engine_load(data, length, &engine, &error));
  OK(dralloc_bytes_free(dump));
  OK(dralloc_engine_free(world->engine));
  world->engine = engine;
}

static void add_devices(struct line *line, const struct world *world) {
  dralloc_device devices[MOST_DEVICES];
  size_t count = 0;
  OK(dralloc_outcome_devices(world->outcome, world->snapshot, devices, MOST_DEVICES, &count,
                             &error));
  CHECK(count <= MOST_DEVICES);
  for (size_t place = 0; place < count; place++) {
    const uint32_t numbers[] = {devices[place].claim, devices[place].request,
                                devices[place].alternative};
    dralloc_bytes *name = NULL;
    add_text(line, place == 0 ? "" : ";");
    for (int number = 0; number < 3; number++) {
      add_number(line, numbers[number]);
      add_text(line, " ");
    }
    OK(dralloc_snapshot_device(world->snapshot, devices[place].device, &name, &error));
    add_bytes(line, name);
  }
}

static void add_placed(struct line *line, const struct world *world) {
  dralloc_placed_node nodes[MOST_DEVICES];
  size_t count = 0;
  OK(dralloc_placement_nodes(world->placement, nodes, MOST_DEVICES, &count, &error));
  CHECK(count <= MOST_DEVICES);
  for (size_t place = 0; place < count; place++) {
    const uint64_t numbers[] = {nodes[place].place, nodes[place].rank, nodes[place].free};
    const uint8_t *name = NULL;
    size_t length = 0;
    add_text(line, place == 0 ? "" : ";");
    for (int number = 0; number < 3; number++) {
      add_number(line, numbers[number]);
      add_text(line, " ");
    }
    OK(dralloc_placement_node_name(world->placement, place, &name, &length, &error));
    add(line, name, length);
  }
}

/* Takes the next lines of the trace, and adds them but for the ends of things: when these
 * come is not the same in all languages. */
static void add_trace(struct line *line, struct world *world) {
  static const char end[] = "{\"call\":\"drop\",";
  dralloc_bytes *bytes = NULL;
  struct line lines = {world->lines, strlen(world->lines)};
  size_t before = lines.length;
  const char *between = "";
  OK(dralloc_trace_take(world->trace, &bytes, &error));
  add_bytes(&lines, bytes);
  world->lines = lines.text;
  for (const char *call = lines.text + before; *call != '\0'; call = strchr(call, '\n') + 1) {
    if (strncmp(call, end, strlen(end)) != 0) {
      add_text(line, between);
      add(line, call, (size_t)(strchr(call, '\n') - call));
      between = " ";
    }
  }
}

/* Asks a question to many nodes; no names are all nodes. */
static dralloc_status ask_many(struct world *world, int holds, const char *names,
                               dralloc_placement **placement, dralloc_error **error) {
  dralloc_node_list *nodes = NULL;
  dralloc_status status;
  if (names[0] != '\0') {
    status = dralloc_snapshot_node_list(world->snapshot, TEXT(names), &nodes, error);
    if (status != DRALLOC_STATUS_OK) {
      return status;
    }
  }
  status = holds ? dralloc_transaction_place_and_allocate(world->transaction, world->claims,
                                                          nodes, world->options,
                                                          world->workspace, placement, error)
                 : dralloc_transaction_place(world->transaction, world->claims, nodes,
                                             world->options, world->workspace, placement, error);
  OK(dralloc_node_list_free(nodes));
  return status;
}

/* Allocates the members that were prepared last; no names are all nodes. */
static dralloc_status ask_gang(struct world *world, const char *names, dralloc_bytes **gang,
                               dralloc_error **error) {
  dralloc_node_list *nodes = NULL;
  dralloc_status status = DRALLOC_STATUS_OK;
  if (names[0] != '\0') {
    status = dralloc_snapshot_node_list(world->snapshot, TEXT(names), &nodes, error);
  }
  if (status == DRALLOC_STATUS_OK) {
    const dralloc_claims *const *members = (const dralloc_claims *const *)world->members;
    status = dralloc_transaction_gang(world->transaction, members, world->member_count, nodes,
                                      world->options, world->workspace, gang, error);
  }
  OK(dralloc_node_list_free(nodes));
  free_members(world);
  return status;
}

/* Makes the call of a line, whose fields it cuts apart. Returns the line of its result,
 * which the caller frees, or null if it returns nothing. */
static char *run_call(struct world *world, char *text) {
  char *fields[MOST_FIELDS];
  int field_count = 0;
  const char *name, *one, *two, *three, *four;
  struct line line = {NULL, 0};
  dralloc_error *error = NULL;
  dralloc_status status = DRALLOC_STATUS_OK;
  dralloc_bytes *bytes = NULL;
  dralloc_outcome *outcome = NULL;
  dralloc_placement *placement = NULL;
  uint32_t number = 0;
  int is_number = 0;

  for (char *field = text; field != NULL && field_count < MOST_FIELDS; field_count++) {
    fields[field_count] = field;
    field = strchr(field, '\t');
    if (field != NULL) {
      *field++ = '\0';
    }
  }
  name = fields[0];
  one = field_count > 1 ? fields[1] : "";
  two = field_count > 2 ? fields[2] : "";
  three = field_count > 3 ? fields[3] : "";
  four = field_count > 4 ? fields[4] : "";
  add_text(&line, "=\t");
  size_t empty = line.length;
  int has_result = 0;

#define IF(call) else if (strcmp(name, call) == 0)
  if (strcmp(name, "engine") == 0) {
    status = begin_with(world, one, &error);
  }
  IF("reload") { reload(world); }
  IF("apply") {
    status = dralloc_engine_apply(world->engine, TEXT(one), &bytes, &error);
  }
  IF("change") {
    status = dralloc_engine_change(world->engine, TEXT(one), &bytes, &error);
  }
  IF("replace") {
    status = dralloc_engine_replace(world->engine, TEXT(one), TEXT(two), &bytes, &error);
  }
  IF("forget") {
    status = dralloc_engine_forget(world->engine, TEXT(one), &bytes, &error);
  }
  IF("assumed") {
    is_number = 1;
    status = dralloc_engine_is_assumed(world->engine, TEXT(one), &number, &error);
  }
  IF("snapshot") {
    OK(dralloc_snapshot_free(world->snapshot));
    status = dralloc_engine_snapshot(world->engine, &world->snapshot, &error);
  }
  IF("nodes") { status = dralloc_snapshot_nodes(world->snapshot, &bytes, &error); }
  IF("objects") {
    status = dralloc_snapshot_objects(world->snapshot, TEXT(one), TEXT(two), &bytes, &error);
  }
  IF("features") { status = dralloc_snapshot_features(world->snapshot, &bytes, &error); }
  IF("record") {
    OK(dralloc_trace_free(world->trace));
    free(world->lines);
    world->lines = calloc(1, 1);
    CHECK(world->lines != NULL);
    status = dralloc_engine_record(world->engine, &world->trace, &error);
  }
  IF("trace") {
    has_result = 1;
    add_trace(&line, world);
  }
  IF("replay") { status = dralloc_trace_replay(TEXT(world->lines), &bytes, &error); }
  IF("prepare") {
    dralloc_claims *claims = NULL;
    status = dralloc_snapshot_prepare(world->snapshot, TEXT(one), &claims, &error);
    if (status == DRALLOC_STATUS_OK) {
      OK(dralloc_claims_free(world->claims));
      world->claims = claims;
    }
  }
  IF("options") {
    dralloc_options *options = NULL;
    status = dralloc_options_new(TEXT(one), NULL, &options, &error);
    if (status == DRALLOC_STATUS_OK) {
      OK(dralloc_options_free(world->options));
      world->options = options;
    }
  }
  IF("transaction") {
    free_savepoints(world);
    OK(dralloc_transaction_free(world->transaction));
    status = dralloc_snapshot_transaction(world->snapshot, &world->transaction, &error);
  }
  IF("allocate") {
    status = dralloc_transaction_allocate(world->transaction, TEXT(one), world->claims,
                                          world->options, world->workspace, &outcome, &error);
  }
  IF("satisfiable") {
    status = dralloc_transaction_satisfiable(world->transaction, TEXT(one), world->claims,
                                             world->options, world->workspace, &outcome,
                                             &error);
  }
  IF("results") {
    const uint8_t *data = NULL;
    size_t length = 0;
    has_result = 1;
    status = dralloc_outcome_results(world->outcome, &data, &length, &error);
    add(&line, data, length);
  }
  IF("devices") {
    has_result = 1;
    add_devices(&line, world);
  }
  IF("place") { status = ask_many(world, 0, one, &placement, &error); }
  IF("placeAndAllocate") { status = ask_many(world, 1, one, &placement, &error); }
  IF("placed") {
    has_result = 1;
    add_placed(&line, world);
  }
  IF("placedOutcome") {
    status = dralloc_placement_outcome(world->placement, (size_t)atoi(one), &outcome, &error);
  }
  IF("member") {
    CHECK(world->member_count < MOST_MEMBERS);
    status = dralloc_snapshot_prepare(world->snapshot, TEXT(one),
                                      &world->members[world->member_count], &error);
    world->member_count += status == DRALLOC_STATUS_OK;
  }
  IF("gang") { status = ask_gang(world, one, &bytes, &error); }
  IF("explain") {
    status = dralloc_transaction_explain(world->transaction, TEXT(one), world->claims,
                                         world->options, world->workspace, &bytes, &error);
  }
  IF("runnerUp") {
    status = dralloc_transaction_runner_up(world->transaction, TEXT(one), world->claims,
                                           world->options, world->workspace, &bytes, &error);
  }
  IF("certificate") {
    status = dralloc_transaction_certificate(world->transaction, TEXT(one), world->claims,
                                             world->options, world->workspace, &bytes, &error);
  }
  IF("verify") {
    status = dralloc_transaction_verify(world->transaction, TEXT(one), TEXT(two), TEXT(three),
                                        &bytes, &error);
  }
  IF("verifyCertificate") {
    status = dralloc_transaction_verify_certificate(world->transaction, TEXT(one), TEXT(two),
                                                    TEXT(three), &bytes, &error);
  }
  IF("verifyOptimality") {
    status = dralloc_transaction_verify_optimality(world->transaction, TEXT(one), TEXT(two),
                                                   TEXT(three), TEXT(four), &bytes, &error);
  }
  IF("validate") { status = dralloc_objects_validate(TEXT(one), TEXT(two), &bytes, &error); }
  IF("default") { status = dralloc_objects_default(TEXT(one), &bytes, &error); }
  IF("amounts") {
    status = dralloc_transaction_amounts_in_use(world->transaction, TEXT(one), &bytes, &error);
  }
  IF("hold") {
    status = dralloc_transaction_hold(world->transaction, TEXT(one), TEXT(two), &error);
  }
  IF("release") {
    is_number = 1;
    status = dralloc_transaction_release(world->transaction, TEXT(one), &number, &error);
  }
  IF("reserve") {
    is_number = 1;
    status =
        dralloc_transaction_reserve(world->transaction, TEXT(one), TEXT(two), &number, &error);
  }
  IF("unreserve") {
    is_number = 1;
    status =
        dralloc_transaction_unreserve(world->transaction, TEXT(one), TEXT(two), &number, &error);
  }
  IF("markReleasing") {
    is_number = 1;
    status = dralloc_transaction_mark_releasing(world->transaction, TEXT(one),
                                                (uint32_t)atoi(two), &number, &error);
  }
  IF("addNode") {
    status = dralloc_transaction_add_node(world->transaction, TEXT(one), TEXT(two), &error);
  }
  IF("removeNode") {
    status = dralloc_transaction_remove_node(world->transaction, TEXT(one), &error);
  }
  IF("takeAmounts") {
    status = dralloc_transaction_take_amounts(world->transaction, TEXT(one), TEXT(two),
                                              TEXT(three), &error);
  }
  IF("releaseAmounts") {
    is_number = 1;
    status = dralloc_transaction_release_amounts(world->transaction, TEXT(one), &number, &error);
  }
  IF("savepoint") { new_savepoint(world); }
  IF("rollback") {
    size_t place = (size_t)atoi(one);
    CHECK(place < world->savepoint_count);
    status = dralloc_transaction_rollback(world->transaction, world->savepoints[place], &error);
  }
  IF("clone") {
    dralloc_transaction *clone = NULL;
    status = dralloc_transaction_clone(world->transaction, &clone, &error);
    OK(dralloc_transaction_free(world->transaction));
    world->transaction = clone;
  }
  IF("commit") {
    status = dralloc_transaction_commit(world->transaction, world->engine, &bytes, &error);
  }
  else {
    fprintf(stderr, "no call %s\n", name);
    exit(1);
  }
#undef IF

  if (status != DRALLOC_STATUS_OK) {
    const uint8_t *json = NULL;
    size_t length = 0;
    dralloc_status same = DRALLOC_STATUS_OK;
    CHECK(error != NULL && bytes == NULL && outcome == NULL && placement == NULL);
    CHECK(dralloc_error_status(error, &same) == DRALLOC_STATUS_OK);
    CHECK(same == status);
    CHECK(dralloc_error_json(error, &json, &length) == DRALLOC_STATUS_OK);
    line.length = 0;
    add_text(&line, "!\t");
    add(&line, json, length);
    CHECK(dralloc_error_free(error) == DRALLOC_STATUS_OK);
    return line.text;
  }
  if (outcome != NULL) {
    const uint8_t *json = NULL;
    size_t length = 0;
    OK(dralloc_outcome_json(outcome, &json, &length, &error));
    add(&line, json, length);
    OK(dralloc_outcome_free(world->outcome));
    world->outcome = outcome;
  } else if (placement != NULL) {
    OK(dralloc_placement_json(placement, &bytes, &error));
    add_bytes(&line, bytes);
    OK(dralloc_placement_free(world->placement));
    world->placement = placement;
  } else if (bytes != NULL) {
    add_bytes(&line, bytes);
  } else if (is_number) {
    add_number(&line, number);
  } else if (!has_result && line.length == empty) {
    free(line.text);
    return NULL;
  }
  return line.text;
}

#endif
