import { boolean, integer, withDefault } from '../../http/input/schemas.ts';

/** Parameters that the acts on orders share. */

export const orderId = integer('Id of the order.', { min: 1 });

export const dryRun = withDefault(
  boolean('true: nothing is done; the answer is what the act would give, in every part.'),
  false,
);
