import type { Input } from '../../../../packages/client/src/marquee-client.ts';
import type { OrderView } from './views.ts';

/** The statuses of each view; none for all of them. */
export const STATUSES: Readonly<Record<OrderView, readonly string[]>> = {
  all: [],
  open: ['pending', 'action-req', 'approved'],
  paid: ['completed'],
  returned: ['refunded', 'reversed'],
  lapsed: ['not-completed', 'denied', 'voided'],
};

/** What stands in the address of the list. */
export interface OrderFilters {
  view?: OrderView;
  search?: string | undefined;
  event?: number | undefined;
  gateway?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
  page?: number;
}

/** What the filters ask of the list and of its export. */
export function askedBy(filters: OrderFilters): Input<'GET /admin/v1/orders'> {
  const { view = 'all', search, event, gateway, after, before } = filters;
  // The statuses of the table above.
  const status = STATUSES[view] as string[];
  return {
    ...(status.length > 0 && { status }),
    ...(search && { search }),
    ...(event && { event }),
    ...(gateway && { gateway: [gateway] }),
    ...(after && { after }),
    ...(before && { before }),
  };
}
