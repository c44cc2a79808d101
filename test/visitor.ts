import type { Answer, Asking, TestServer } from './server.ts';

/** A visitor at an address, with the token of the last cart. */
export function visitorAt(server: TestServer, from: string, asking: Omit<Asking, 'body'> = {}) {
  let token: string | undefined;
  const headers = () => ({ ...asking.headers, ...(token !== undefined && { 'x-cart-token': token }) });
  return {
    get token() {
      return token;
    },
    use(other: string | undefined) {
      token = other;
    },
    async put(ticket_id: number, quantity: number): Promise<Answer> {
      const body = { provider: 'tc', tickets: [{ ticket_id, quantity }] };
      const answer = await server.ask('POST tickets:/cart', { ...asking, body, from, headers: headers() });
      token = answer.headers.get('x-cart-token') ?? token;
      return answer;
    },
    async buy(email = 'ada@example.test'): Promise<Answer> {
      const body = { purchaser: { name: 'Ada', email } };
      const answer = await server.ask('POST tickets:/cart/checkout', { ...asking, body, from, headers: headers() });
      token = undefined;
      return answer;
    },
  };
}
