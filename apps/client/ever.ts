/** All times, for lists of events: without dates, they cover the next two years. */
export const EVER = { start_date: '1971-01-01', end_date: '2999-12-31' } as const;
