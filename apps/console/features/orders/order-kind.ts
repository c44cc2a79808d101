import type { FullOrder } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { read } from '../../data/queries.ts';
import type { RecordKind } from '../../shared/record/use-record.ts';

/** The fields of an order that the form edits. */
export type OrderFields = ReturnType<typeof fieldsOf>;

const fieldsOf = ({ purchaser: { name, email }, note }: FullOrder) => ({ name, email, note });

/** The buyer and the note of an order in a form. */
export const orderKind: RecordKind<FullOrder, OrderFields> = {
  path: '/admin/v1/orders',
  read: (id) => read('GET /admin/v1/orders/{id}', { id }),
  write(id, { name, email, note }, options) {
    const purchaser = { ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
    const change = { ...(Object.keys(purchaser).length > 0 && { purchaser }), ...(note !== undefined && { note }) };
    return call('PATCH /admin/v1/orders/{id}', { id, ...change }, options);
  },
  fieldsOf,
  isDraft: () => false,
};
