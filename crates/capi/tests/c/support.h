/* What the test programs share: checks that end the program, and texts. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <dralloc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text as the two arguments of a call. */
#define TEXT(text) (const uint8_t *)(text), strlen(text)
/* A name of bytes and their length, made of a literal. */
#define IS(data, length, text) \
  ((length) == strlen(text) && memcmp((data), (text), (length)) == 0)

#define CHECK(condition)                                                          \
  do {                                                                            \
    if (!(condition)) {                                                           \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);     \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

/* Makes a call that has to go well, and prints the error if it does not. */
#define OK(call)                                                                  \
  do {                                                                            \
    dralloc_error *error = NULL;                                                  \
    dralloc_status status = (call);                                               \
    if (status != DRALLOC_STATUS_OK) {                                            \
      fail(__FILE__, __LINE__, #call, status, error);                             \
    }                                                                             \
  } while (0)

static void fail(const char *file, int line, const char *call, dralloc_status status,
                 dralloc_error *error) {
  const uint8_t *json = (const uint8_t *)"";
  size_t length = 0;
  if (error != NULL) {
    (void)dralloc_error_json(error, &json, &length);
  }
  fprintf(stderr, "%s:%d: status %u of %s: %.*s\n", file, line, (unsigned)status, call,
          (int)length, (const char *)json);
  exit(1);
}

/* Checks that bytes are a text, and frees them. */
static inline void check_bytes(dralloc_bytes *bytes, const char *expected) {
  const uint8_t *data = NULL;
  size_t length = 0;
  OK(dralloc_bytes_data(bytes, &data, &length, &error));
  if (!IS(data, length, expected)) {
    fprintf(stderr, "expected %s\nfound    %.*s\n", expected, (int)length,
            (const char *)data);
    exit(1);
  }
  CHECK(dralloc_bytes_free(bytes) == DRALLOC_STATUS_OK);
}

#define NODE "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"node-1\"}}"
#define CLASS                                                                     \
  "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"DeviceClass\","              \
  "\"metadata\":{\"name\":\"gpu\"},\"spec\":{\"selectors\":[{\"cel\":"            \
  "{\"expression\":\"device.driver == 'gpu.example.com'\"}}]}}"
#define SLICE                                                                     \
  "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\","            \
  "\"metadata\":{\"name\":\"node-1-gpus\",\"uid\":\"s\",\"resourceVersion\":\"1\"}," \
  "\"spec\":{\"driver\":\"gpu.example.com\",\"nodeName\":\"node-1\","             \
  "\"pool\":{\"name\":\"node-1\",\"generation\":1,\"resourceSliceCount\":1},"     \
  "\"devices\":[{\"name\":\"gpu-0\"},{\"name\":\"gpu-1\"}]}}"
/* A claim of a name for a number of devices. */
#define CLAIM(name, count)                                                        \
  "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\","            \
  "\"metadata\":{\"namespace\":\"default\",\"name\":\"" name "\",\"uid\":\"" name "\"}," \
  "\"spec\":{\"devices\":{\"requests\":[{\"name\":\"gpu\",\"exactly\":"           \
  "{\"deviceClassName\":\"gpu\",\"allocationMode\":\"ExactCount\",\"count\":" count "}}]}}}"
#define RESULT(device)                                                            \
  "{\"devices\":{\"results\":[{\"request\":\"gpu\",\"driver\":\"gpu.example.com\"," \
  "\"pool\":\"node-1\",\"device\":\"" device "\"}]},\"nodeSelector\":{\"nodeSelectorTerms\":" \
  "[{\"matchFields\":[{\"key\":\"metadata.name\",\"operator\":\"In\","            \
  "\"values\":[\"node-1\"]}]}]}}"

/* Makes an engine with a node, a class and two devices. */
static inline dralloc_engine *two_devices(void) {
  dralloc_engine *engine = NULL;
  OK(dralloc_engine_new(NULL, 0, &engine, &error));
  OK(dralloc_engine_apply(engine, TEXT(NODE CLASS SLICE), NULL, &error));
  return engine;
}

#endif
