/* Answers conformance cases and prints their digests. The argument is the file of cases;
 * testdata/corpus/README.md has the form of a digest. Each case is answered once more in
 * numbers, which have to be the same. */
#include "support.h"

#include <ctype.h>

/* Is a value of JSON, as it is written. */
struct value {
  const char *text;
  size_t length;
};

static const char *skip_space(const char *text) {
  while (isspace((unsigned char)*text)) {
    text++;
  }
  return text;
}

static const char *skip_string(const char *text) {
  for (text++; *text != '"'; text++) {
    CHECK(*text != '\0');
    text += *text == '\\';
  }
  return text + 1;
}

/* Returns where a value of well-formed JSON ends. */
static const char *skip_value(const char *text) {
  int depth = 0;
  do {
    text = skip_space(text);
    if (*text == '"') {
      text = skip_string(text);
    } else if (*text == '{' || *text == '[') {
      depth++;
      text++;
    } else if (*text == '}' || *text == ']') {
      depth--;
      text++;
    } else if (*text == ',' || *text == ':') {
      text++;
    } else {
      CHECK(*text != '\0');
      text += strcspn(text, ",:]}");
    }
  } while (depth > 0);
  return text;
}

static struct value value_at(const char *text) {
  text = skip_space(text);
  return (struct value){text, (size_t)(skip_value(text) - text)};
}

/* Returns the field of an object; none has no text. */
static struct value field(struct value object, const char *name) {
  const char *text = skip_space(object.text + 1);
  while (*text != '}') {
    struct value key = value_at(text);
    text = skip_space(key.text + key.length);
    CHECK(*text == ':');
    struct value found = value_at(text + 1);
    if (key.length == strlen(name) + 2 && memcmp(key.text + 1, name, key.length - 2) == 0) {
      return found;
    }
    text = skip_space(found.text + found.length);
    text = *text == ',' ? skip_space(text + 1) : text;
  }
  return (struct value){NULL, 0};
}

static int is(struct value value, const char *text) {
  return value.length == strlen(text) && memcmp(value.text, text, value.length) == 0;
}

static const char *const gates[][2] = {
    {"adminAccess", "DRAAdminAccess"},
    {"compatibilityGroups", "DRADeviceCompatibilityGroups"},
    {"consumableCapacity", "DRAConsumableCapacity"},
    {"derivedAttributes", "DRADerivedAttributes"},
    {"deviceBindingAndStatus", "DRADeviceBindingConditions"},
    {"deviceTaints", "DRADeviceTaints"},
    {"fractionalCapacityRange", "DRAFractionalCapacityRange"},
    {"listTypeAttributes", "DRAListTypeAttributes"},
    {"optionalNodeOperations", "DRAOptionalNodeOperations"},
    {"partitionableDevices", "DRAPartitionableDevices"},
    {"prioritizedList", "DRAPrioritizedList"},
};

static void begin(struct value features, dralloc_engine **engine) {
  char text[1024] = "{\"gates\":{";
  size_t count = sizeof gates / sizeof gates[0];
  for (size_t place = 0; place < count; place++) {
    int on = is(field(features, gates[place][0]), "true");
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s\"%s\":%s", place == 0 ? "" : ",",
             gates[place][1], on ? "true" : "false");
  }
  strcat(text, "}}");
  OK(dralloc_engine_new(TEXT(text), engine, &error));
}

static dralloc_status apply(dralloc_engine *engine, struct value json, dralloc_error **error) {
  return dralloc_engine_apply(engine, (const uint8_t *)json.text, json.length, NULL, error);
}

static dralloc_status apply_all(dralloc_engine *engine, struct value list,
                                dralloc_error **error) {
  const char *text = skip_space(list.text + 1);
  while (*text != ']') {
    struct value one = value_at(text);
    dralloc_status status = apply(engine, one, error);
    if (status != DRALLOC_STATUS_OK) {
      return status;
    }
    text = skip_space(one.text + one.length);
    text = *text == ',' ? skip_space(text + 1) : text;
  }
  return DRALLOC_STATUS_OK;
}

static dralloc_status hold(dralloc_engine *engine, struct value held, dralloc_error **error) {
  static const char before[] = "{\"allocated\":";
  size_t length = sizeof before - 1 + held.length + 1;
  char *text = malloc(length);
  CHECK(text != NULL);
  memcpy(text, before, sizeof before - 1);
  memcpy(text + sizeof before - 1, held.text, held.length);
  text[length - 1] = '}';
  dralloc_status status =
      dralloc_engine_change(engine, (const uint8_t *)text, length, NULL, error);
  free(text);
  return status;
}

#define STEP(call)                                                                \
  do {                                                                            \
    dralloc_status status = (call);                                               \
    if (status != DRALLOC_STATUS_OK) {                                            \
      return status;                                                              \
    }                                                                             \
  } while (0)

#define MOST_DEVICES 256

/* Asks in numbers, and checks that the answer is that of an outcome. */
static void ask_in_numbers(const dralloc_snapshot *snapshot, struct value name,
                           const dralloc_claims *claims, dralloc_workspace *workspace,
                           const dralloc_outcome *outcome) {
  dralloc_device expected[MOST_DEVICES], found[MOST_DEVICES];
  dralloc_outcome_kind expected_kind = DRALLOC_OUTCOME_KIND_UNKNOWN, kind = expected_kind;
  size_t expected_count = 0, count = 0;
  dralloc_transaction *transaction = NULL;
  dralloc_node_list *nodes = NULL;
  char names[512];
  CHECK(name.length + 3 < sizeof names);
  snprintf(names, sizeof names, "[%.*s]", (int)name.length, name.text);
  OK(dralloc_snapshot_transaction(snapshot, &transaction, &error));
  OK(dralloc_snapshot_node_list(snapshot, TEXT(names), &nodes, &error));
  OK(dralloc_transaction_allocate_devices(transaction, nodes, 0, claims, NULL, workspace, &kind,
                                          found, MOST_DEVICES, &count, &error));
  OK(dralloc_outcome_get_kind(outcome, &expected_kind, &error));
  OK(dralloc_outcome_devices(outcome, snapshot, expected, MOST_DEVICES, &expected_count,
                             &error));
  CHECK(kind == expected_kind && count == expected_count);
  CHECK(memcmp(found, expected, count * sizeof found[0]) == 0);
  OK(dralloc_node_list_free(nodes));
  OK(dralloc_transaction_free(transaction));

  /* And once more in text and numbers at once. */
  static uint8_t text[1 << 16];
  const uint8_t *json = NULL;
  size_t json_length = 0, length = 0;
  dralloc_outcome *none = NULL;
  OK(dralloc_snapshot_transaction(snapshot, &transaction, &error));
  OK(dralloc_transaction_allocate_into(transaction, (const uint8_t *)name.text + 1,
                                       name.length - 2, claims, NULL, workspace, &kind, text,
                                       sizeof text, &length, found, MOST_DEVICES, &count,
                                       &none, &error));
  CHECK(none == NULL);
  OK(dralloc_outcome_json(outcome, &json, &json_length, &error));
  CHECK(kind == expected_kind && count == expected_count && length == json_length);
  CHECK(memcmp(found, expected, count * sizeof found[0]) == 0);
  CHECK(memcmp(text, json, length) == 0);
  OK(dralloc_transaction_free(transaction));
}

static dralloc_status ask(dralloc_engine *engine, struct value line,
                          dralloc_workspace *workspace, dralloc_outcome **outcome,
                          dralloc_error **error) {
  struct value node = field(line, "node");
  struct value name = field(field(node, "metadata"), "name");
  struct value json = field(line, "claims");
  dralloc_snapshot *snapshot = NULL;
  dralloc_claims *claims = NULL;
  dralloc_transaction *transaction = NULL;
  dralloc_status status;
  STEP(apply(engine, node, error));
  STEP(apply_all(engine, field(line, "deviceClasses"), error));
  STEP(apply_all(engine, field(line, "resourceSlices"), error));
  STEP(hold(engine, field(line, "allocated"), error));
  STEP(dralloc_engine_snapshot(engine, &snapshot, error));
  status = dralloc_snapshot_prepare(snapshot, (const uint8_t *)json.text, json.length, &claims,
                                    error);
  if (status == DRALLOC_STATUS_OK) {
    status = dralloc_snapshot_transaction(snapshot, &transaction, error);
  }
  if (status == DRALLOC_STATUS_OK) {
    status = dralloc_transaction_allocate(transaction, (const uint8_t *)name.text + 1,
                                          name.length - 2, claims, NULL, workspace, outcome,
                                          error);
  }
  if (status == DRALLOC_STATUS_OK) {
    ask_in_numbers(snapshot, name, claims, workspace, *outcome);
  }
  (void)dralloc_transaction_free(transaction);
  (void)dralloc_claims_free(claims);
  (void)dralloc_snapshot_free(snapshot);
  return status;
}

/* Returns the 64-bit FNV-1a hash of bytes. */
static uint64_t digest(const uint8_t *data, size_t length) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t place = 0; place < length; place++) {
    hash = (hash ^ data[place]) * UINT64_C(0x100000001b3);
  }
  return hash;
}

static void answer(const char *text, dralloc_workspace *workspace) {
  static const char *const kinds[] = {"optimal", "feasible", "infeasible", "unknown"};
  struct value line = value_at(text);
  struct value name = field(line, "name");
  const char *kind = "error";
  const uint8_t *json = NULL;
  size_t length = 0;
  dralloc_engine *engine = NULL;
  dralloc_outcome *outcome = NULL;
  dralloc_error *error = NULL;
  begin(field(line, "features"), &engine);
  if (ask(engine, line, workspace, &outcome, &error) == DRALLOC_STATUS_OK) {
    dralloc_outcome_kind number = DRALLOC_OUTCOME_KIND_UNKNOWN;
    OK(dralloc_outcome_get_kind(outcome, &number, &error));
    kind = kinds[number];
    OK(dralloc_outcome_json(outcome, &json, &length, &error));
  } else {
    CHECK(dralloc_error_json(error, &json, &length) == DRALLOC_STATUS_OK);
  }
  printf("%.*s\t%s\t%016llx\n", (int)name.length - 2, name.text + 1, kind,
         (unsigned long long)digest(json, length));
  CHECK(dralloc_outcome_free(outcome) == DRALLOC_STATUS_OK);
  CHECK(dralloc_error_free(error) == DRALLOC_STATUS_OK);
  CHECK(dralloc_engine_free(engine) == DRALLOC_STATUS_OK);
}

int main(int count, char **arguments) {
  static char line[1 << 20];
  dralloc_workspace *workspace = NULL;
  CHECK(count == 2);
  FILE *file = fopen(arguments[1], "rb");
  CHECK(file != NULL);
  OK(dralloc_workspace_new(&workspace, &error));
  while (fgets(line, sizeof line, file) != NULL) {
    answer(line, workspace);
  }
  CHECK(fclose(file) == 0);
  OK(dralloc_workspace_free(workspace));
  CHECK(dralloc_live_handles() == 0);
  return 0;
}
