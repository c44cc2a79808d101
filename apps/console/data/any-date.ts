/** Dates of lists of all events; without them, lists cover the next two years. */
export const ANY_DATE = { start_date: '1971-01-01', end_date: '2999-12-31' } as const;
