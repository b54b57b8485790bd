/* Numbers and sizes that programs were compiled with stay what they are. */
#include "support.h"

/* Does not compile unless the condition holds. */
#define FROZEN(condition) typedef char FROZEN_AT(__LINE__)[(condition) ? 1 : -1]
#define FROZEN_AT(line) JOINED(frozen_, line)
#define JOINED(one, other) one##other

FROZEN(DRALLOC_ABI_VERSION == 0);

FROZEN(sizeof(dralloc_status) == 4);
FROZEN(DRALLOC_STATUS_OK == 0);
FROZEN(DRALLOC_STATUS_NULL_ARGUMENT == 1);
FROZEN(DRALLOC_STATUS_WRONG_HANDLE == 2);
FROZEN(DRALLOC_STATUS_BUSY == 3);
FROZEN(DRALLOC_STATUS_POISONED == 4);
FROZEN(DRALLOC_STATUS_PANIC == 5);
FROZEN(DRALLOC_STATUS_NOT_UTF8 == 6);
FROZEN(DRALLOC_STATUS_OUT_OF_RANGE == 7);
FROZEN(DRALLOC_STATUS_TOO_SMALL == 8);
FROZEN(DRALLOC_STATUS_SPENT == 9);
FROZEN(DRALLOC_STATUS_MALFORMED == 100);
FROZEN(DRALLOC_STATUS_UNKNOWN_FIELD == 101);
FROZEN(DRALLOC_STATUS_INVALID == 102);
FROZEN(DRALLOC_STATUS_DUPLICATE == 103);
FROZEN(DRALLOC_STATUS_NOT_FOUND == 104);
FROZEN(DRALLOC_STATUS_UNSUPPORTED == 105);
FROZEN(DRALLOC_STATUS_FEATURE_DISABLED == 106);
FROZEN(DRALLOC_STATUS_LIMIT_EXCEEDED == 107);
FROZEN(DRALLOC_STATUS_CEL_COMPILE == 108);
FROZEN(DRALLOC_STATUS_CEL_EVALUATION == 109);
FROZEN(DRALLOC_STATUS_ATTRIBUTE == 110);
FROZEN(DRALLOC_STATUS_CAPACITY == 111);
FROZEN(DRALLOC_STATUS_NODE_SELECTOR == 112);
FROZEN(DRALLOC_STATUS_POOL == 113);
FROZEN(DRALLOC_STATUS_CONFLICT == 114);
FROZEN(DRALLOC_STATUS_INTERNAL == 199);

FROZEN(sizeof(dralloc_outcome_kind) == 4);
FROZEN(DRALLOC_OUTCOME_KIND_OPTIMAL == 0);
FROZEN(DRALLOC_OUTCOME_KIND_FEASIBLE == 1);
FROZEN(DRALLOC_OUTCOME_KIND_INFEASIBLE == 2);
FROZEN(DRALLOC_OUTCOME_KIND_UNKNOWN == 3);

FROZEN(sizeof(dralloc_device) == 16);
FROZEN(offsetof(dralloc_device, claim) == 0);
FROZEN(offsetof(dralloc_device, request) == 4);
FROZEN(offsetof(dralloc_device, alternative) == 8);
FROZEN(offsetof(dralloc_device, device) == 12);

FROZEN(sizeof(dralloc_placed_node) == 24);
FROZEN(offsetof(dralloc_placed_node, rank) == 0);
FROZEN(offsetof(dralloc_placed_node, free) == 8);
FROZEN(offsetof(dralloc_placed_node, place) == 16);

int main(void) {
  two_devices();
  puts("ok");
  return 0;
}
