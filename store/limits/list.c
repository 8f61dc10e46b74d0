#include "core/base/xalloc.h"
#include "store/limits/limits.h"

struct limit *limit_list_add(struct limit_list *list)
{
    GROW(list->item, list->n + 1, list->room);
    struct limit *l = &list->item[list->n++];
    *l = (struct limit){0};
    return l;
}

void limit_list_release(struct limit_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        fields_release(&limit_fields, &list->item[i]);
    free(list->item);
    *list = (struct limit_list){0};
}
