import { cartOf } from './cart.ts';
import type { Marquee } from './interface.ts';
import type { ClientOptions } from './options.ts';
import { all, type Call, pages, resources } from './resources.ts';
import { createSend } from './send.ts';

/**
 * A client of one site.
 * @throws {TypeError} naming the option that cannot be used, without its value
 */
export function createClient(options: ClientOptions): Marquee {
  const send = createSend(options);
  const call: Call = async (...sent) => (await send(...sent)).body;
  const client = {
    ...resources(call),
    cart: (token?: string) => cartOf(send, token),
    call,
    pages: (...sent: Parameters<Call>) => pages(call, ...sent),
    all: (...sent: Parameters<Call>) => all(call, ...sent),
  };
  // Types of inputs and responses come from the operations, which are generated from the server's schemas.
  return client as Marquee;
}
