/** Statuses of orders that keep their places and are not paid. */
export const UNPAID = ['pending', 'action-req', 'approved'] as const;

export const isUnpaid = (status: string): boolean => UNPAID.some((one) => one === status);
