/** Which orders a list shows. */
export const ORDER_VIEWS = ['all', 'open', 'paid', 'returned', 'lapsed'] as const;
export type OrderView = (typeof ORDER_VIEWS)[number];
