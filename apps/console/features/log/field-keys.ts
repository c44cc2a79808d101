/** Where the name of a field is looked up: that of its kind of record first, such as `start_date` of a ticket. */
export const fieldKeys = (kind: string, field: string) => [`field.${kind}:${field}`, `field.${field}`] as const;
