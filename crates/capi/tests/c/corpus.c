/* Runs calls of the corpus, a file for each argument, and compares their results to the
 * byte. testdata/corpus/README.md has the form. They run on a thread with a small stack,
 * as those of hosts may be. */
#include "run.h"

#include <pthread.h>

#define STACK (512 * 1024)

static int argument_count;
static char **arguments;

/* Returns the text of a file, which the caller frees. */
static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  CHECK(fseek(file, 0, SEEK_END) == 0);
  long end = ftell(file);
  CHECK(end >= 0 && fseek(file, 0, SEEK_SET) == 0);
  char *text = malloc((size_t)end + 1);
  CHECK(text != NULL);
  CHECK(fread(text, 1, (size_t)end, file) == (size_t)end);
  CHECK(fclose(file) == 0);
  text[end] = '\0';
  *length = (size_t)end;
  return text;
}

/* Runs a file, whose lines it cuts apart; returns the number of calls. */
static int run_file(const char *path) {
  struct world world = {0};
  size_t length = 0;
  char *text = read_file(path, &length);
  char *result = NULL;
  int number = 0, calls = 0;
  begin(&world, "");
  for (char *line = text, *next; line < text + length; line = next) {
    char *end = strchr(line, '\n');
    CHECK(end != NULL);
    *end = '\0';
    next = end + 1;
    number++;
    if (line[0] == '\0' || line[0] == '#') {
      continue;
    }
    int is_result = (line[0] == '=' || line[0] == '!') && line[1] == '\t';
    if (is_result || result != NULL) {
      if (!is_result || result == NULL || strcmp(result, line) != 0) {
        fprintf(stderr, "%s:%d: expected %s\nfound    %s\n", path, number, line,
                result == NULL ? "nothing" : result);
        exit(1);
      }
      free(result);
      result = NULL;
      continue;
    }
    result = run_call(&world, line);
    calls++;
  }
  CHECK(result == NULL);
  end_world(&world);
  free(text);
  return calls;
}

static void *run_files(void *unused) {
  int calls = 0;
  (void)unused;
  for (int place = 1; place < argument_count; place++) {
    calls += run_file(arguments[place]);
  }
  CHECK(dralloc_live_handles() == 0);
  printf("%d calls\n", calls);
  return NULL;
}

int main(int count, char **values) {
  pthread_t thread;
  pthread_attr_t attributes;
  argument_count = count;
  arguments = values;
  CHECK(pthread_attr_init(&attributes) == 0);
  CHECK(pthread_attr_setstacksize(&attributes, STACK) == 0);
  CHECK(pthread_create(&thread, &attributes, run_files, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(pthread_attr_destroy(&attributes) == 0);
  return 0;
}
