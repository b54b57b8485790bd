/* Texts that no well-meaning caller would give, at random. */
#ifndef HOSTILE_TEXT_H
#define HOSTILE_TEXT_H

#include "support.h"

/* Is a source of numbers that a seed decides. */
struct chance {
  uint64_t state;
};

static uint64_t draw(struct chance *chance) {
  chance->state ^= chance->state << 13;
  chance->state ^= chance->state >> 7;
  chance->state ^= chance->state << 17;
  return chance->state * 0x2545f4914f6cdd1dull >> 16;
}

static size_t below(struct chance *chance, size_t limit) { return draw(chance) % limit; }

static int one_in(struct chance *chance, size_t limit) { return below(chance, limit) == 0; }

/* Is a text as a call takes it. The memory ends where the text does, so that who reads
 * beyond it is found. */
struct text {
  uint8_t *memory;
  const uint8_t *data;
  size_t length;
};

static struct text copy_of(const void *data, size_t length) {
  struct text text = {malloc(length == 0 ? 1 : length), NULL, length};
  CHECK(text.memory != NULL);
  memcpy(text.memory, data, length);
  text.data = text.memory;
  return text;
}

/* Returns a text between two others, the first and the last repeated. */
static struct text nested(const char *open, const char *inside, const char *close, size_t depth) {
  size_t before = strlen(open), within = strlen(inside), after = strlen(close);
  size_t length = depth * (before + after) + within;
  struct text text = {malloc(length + 1), NULL, length};
  uint8_t *next = text.memory;
  CHECK(text.memory != NULL);
  for (size_t level = 0; level < depth; level++, next += before) {
    memcpy(next, open, before);
  }
  memcpy(next, inside, within);
  next += within;
  for (size_t level = 0; level < depth; level++, next += after) {
    memcpy(next, close, after);
  }
  text.data = text.memory;
  return text;
}

/* Puts a text in the place of an at sign in another. */
static struct text within(const char *around, struct text inside) {
  const char *mark = strchr(around, '@');
  size_t before = (size_t)(mark - around), after = strlen(mark + 1);
  struct text text = {malloc(before + inside.length + after + 1), NULL,
                      before + inside.length + after};
  CHECK(text.memory != NULL);
  memcpy(text.memory, around, before);
  memcpy(text.memory + before, inside.data, inside.length);
  memcpy(text.memory + before + inside.length, mark + 1, after);
  text.data = text.memory;
  free(inside.memory);
  return text;
}

#define CLASS_OF "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"DeviceClass\",\"metadata\":" \
  "{\"name\":\"odd\"},\"spec\":{\"selectors\":[{\"cel\":{\"expression\":\"@\"}}]}}"
#define CLAIM_OF "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\",\"metadata\":" \
  "{\"namespace\":\"default\",\"name\":\"odd\"},\"spec\":{\"devices\":{\"requests\":[{\"name\":"   \
  "\"gpu\",\"exactly\":{\"deviceClassName\":\"gpu\",\"allocationMode\":\"ExactCount\",\"count\":1," \
  "\"selectors\":[{\"cel\":{\"expression\":\"@\"}}]}}]}}}"
#define CONFIG_OF "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\",\"metadata\":" \
  "{\"namespace\":\"default\",\"name\":\"odd\"},\"spec\":{\"devices\":{\"config\":[{\"opaque\":"    \
  "{\"driver\":\"dralloc.dev\",\"parameters\":@}}],\"requests\":[]}}}"

/* How many sorts of deep texts there are. */
#define DEEP_SORTS 18

/* Returns a text of one of many sorts that goes deep, or on and on. */
static struct text deep(size_t sort, size_t depth) {
  switch (sort) {
  case 0: return nested("[", "", "]", depth);
  case 1: return nested("{\"a\":", "1", "}", depth);
  case 2: return nested("[", "", "", depth);
  case 3: return nested("{\"items\":[", "", "]}", depth);
  case 4: return nested("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[", NODE, "]}", depth / 8 + 1);
  case 5: return within(CLASS_OF, nested("(", "true", ")", depth));
  case 6: return within(CLASS_OF, nested("!", "true", "", depth));
  case 7: return within(CLAIM_OF, nested("[", "1", "]", depth));
  case 8: return within(CLAIM_OF, nested("device.driver == 'gpu.example.com' && ", "true", "", depth / 32 + 1));
  case 9: return within(CLAIM_OF, nested("true ? ", "true", " : false", depth / 8 + 1));
  case 10: return within(CLAIM_OF, nested("-", "1", " == 1", depth / 4 + 1));
  case 11: return within(CLAIM_OF, within("'a'.matches('@')", nested("(a", "", "*)*", depth / 4 + 1)));
  case 12: return within(CLAIM_OF, nested("[1].map(x, ", "x", ")", depth / 16 + 1));
  case 13: return within(CONFIG_OF, nested("[", "", "]", depth));
  case 14: return nested("1", ".", "0", depth);
  case 15: return within("{\"policy\":[@]}", nested("{\"term\":", "1", "}", depth));
  case 16: return within("{\"amounts\":{\"cpu\":\"@\"}}", nested("9", "", "", depth));
  default: return nested("node", "", "-", depth);
  }
}

/* Small texts of all sorts, right and wrong. */
static const char *const PIECES[] = {
    NODE, CLASS, SLICE, CLAIM("a", "1"), CLAIM("b", "2"), CLAIM("c", "9223372036854775807"),
    "[" CLAIM("a", "1") "," CLAIM("b", "1") "]", "[" RESULT("gpu-0") "]", RESULT("gpu-1"),
    "node-1", "node-2", "Node", "DeviceClass", "ResourceSlice", "Topology", "NodeUse", "a", "b",
    "pod-1", "[\"node-1\",\"gone\",\"node-1\"]", "[]", "{}", "null", "\"\"", "0", "-1",
    "1e999999999", "123456789012345678901234567890", "{\"find\":\"best\",\"best\":9223372036854775807}",
    "{\"find\":\"all\",\"explain\":true}", "{\"find\":\"count\",\"start\":9223372036854775807}",
    "{\"policy\":\"pack\",\"branches\":1000}", "{\"policy\":\"spread\",\"branches\":0}",
    "{\"branches\":9223372036854775807,\"now\":-9223372036854775808}", "{\"branches\":-1}",
    "{\"timeoutNanoseconds\":9223372036854775807}", "{\"errors\":\"skip\",\"releasing\":\"free\"}",
    "{\"user\":\"pod-1\",\"amounts\":{\"cpu\":\"1\"}}", "{\"amounts\":{\"cpu\":\"-1\"}}",
    "{\"amounts\":{\"cpu\":\"9999999999999999999999Ei\"}}", "{\"kubernetesMinor\":35}",
    "{\"kubernetesMinor\":9223372036854775807}", "{\"gates\":{\"DRANonsense\":true}}",
    "{\"gates\":{\"DRAAdminAccess\":false}}", "{\"cpu\":\"500m\"}", "{\"cpu\":\"1e-999999999\"}",
    "{\"removed\":{\"kind\":\"Node\",\"name\":\"node-1\"}}",
    "{\"removed\":{\"kind\":\"ResourceClaim\",\"owner\":\"a\"}}",
    "{\"use\":{\"owner\":\"pod-1\",\"node\":\"node-1\",\"amounts\":{\"cpu\":\"1\"}}}",
    "{\"held\":{\"devices\":[{\"driver\":\"gpu.example.com\",\"pool\":\"node-1\",\"device\":\"gpu-0\"}],"
    "\"shares\":[],\"consumedCapacity\":[]}}",
    "{\"twins\":[[{\"driver\":\"d\",\"pool\":\"p\",\"device\":\"x\"},{\"driver\":\"d\",\"pool\":\"p\","
    "\"device\":\"x\"}]]}",
    "{\"apiVersion\":\"dralloc.dev/v1alpha1\",\"kind\":\"Trace\",\"dump\":{}}",
    "{\"apiVersion\":\"dralloc.dev/v1alpha1\",\"kind\":\"Dump\"}",
    "{\"apiVersion\":\"dralloc.dev/v1alpha1\",\"kind\":\"DeviceHold\",\"metadata\":{\"name\":\"h\"},"
    "\"spec\":{\"nodeName\":\"node-1\",\"count\":9223372036854775807}}",
    "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\",\"metadata\":{\"name\":\"s\"},"
    "\"spec\":{\"driver\":\"d\",\"allNodes\":true,\"pool\":{\"name\":\"p\",\"generation\":"
    "9223372036854775807,\"resourceSliceCount\":9223372036854775807},\"devices\":[{\"name\":\"\"}]}}",
    "{\"steps\":[]}", "{\"terms\":[]}", "\xff\xfe", "\xc3(", "\xed\xa0\x80", "\"\\ud800\"", "\t",
};

/* Changes some bytes of a text, or ends it early. */
static void damage(struct chance *chance, struct text *text) {
  for (size_t times = 1 + below(chance, 4); times > 0 && text->length > 0; times--) {
    size_t place = below(chance, text->length);
    switch (below(chance, 4)) {
    case 0: text->memory[place] = (uint8_t)draw(chance); break;
    case 1: text->memory[place] ^= (uint8_t)(1u << below(chance, 8)); break;
    case 2: text->length = place; break;
    default: text->memory[place] = "{}[]\",:09-e\\\0"[below(chance, 13)]; break;
    }
  }
}

/* Returns a text, mostly the one that is right here; the caller frees its memory. */
static inline struct text any_text(struct chance *chance, const char *right) {
  static const size_t lengths[] = {1, 7, SIZE_MAX, SIZE_MAX / 2 + 1};
  struct text text;
  if (!one_in(chance, 3)) {
    return copy_of(right, strlen(right));
  }
  switch (below(chance, 12)) {
  case 0: {
    /* Nothing of any length. */
    struct text none = {NULL, NULL, lengths[below(chance, 4)]};
    return none;
  }
  case 1: {
    struct text none = {NULL, NULL, 0};
    return none;
  }
  case 2:
    /* More than there can be. */
    text = copy_of(right, strlen(right));
    text.length = lengths[2 + below(chance, 2)];
    return text;
  case 3: return deep(below(chance, DEEP_SORTS), 1 + below(chance, 300));
  case 4:
    text = deep(below(chance, DEEP_SORTS), 1 + below(chance, 300));
    damage(chance, &text);
    return text;
  case 5:
  case 6:
  case 7:
    text = copy_of(right, strlen(right));
    damage(chance, &text);
    return text;
  default: {
    const char *piece = PIECES[below(chance, sizeof PIECES / sizeof *PIECES)];
    return copy_of(piece, strlen(piece));
  }
  }
}

#endif
