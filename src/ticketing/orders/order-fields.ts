import { boolean, integer, withDefault } from '../../http/input/schemas.ts';

/** Parameters shared by the actions on orders. */

export const orderId = integer('Id of the order.', { min: 1 });

export const dryRun = withDefault(
  boolean('true: only preview the action; the response is complete, but nothing is changed.'),
  false,
);
