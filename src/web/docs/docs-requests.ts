/** Example requests for endpoints whose generated example would be poor. */
export interface ExampleRequest {
  query?: Readonly<Record<string, string | number>>;
  body?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
}

const NONCE = 'dGhpcyB3b3JrcyBqdXN0IG9uY2Uu';
const CART = { 'X-Cart-Token': 'TOKEN' };
const CODE = { api_key: 'KEY', ticket_id: 42, security_code: '5e0c1a93b7' };

/** By endpoint name. */
export const EXAMPLE_REQUESTS: Readonly<Record<string, ExampleRequest>> = {
  'tickets.create': {
    body: {
      post_id: 42,
      add_ticket_nonce: NONCE,
      provider: 'tc',
      name: 'Day ticket',
      price: '25',
      ticket: { mode: 'own', capacity: 100 },
    },
  },
  'tickets.update': { body: { post_id: 42, edit_ticket_nonce: NONCE, price: '20' } },
  'tickets.delete': { query: { post_id: 42, remove_ticket_nonce: NONCE } },
  'attendees.update': { body: { check_in: true } },
  'cart.read': { headers: CART },
  'cart.save': { body: { provider: 'tickets-commerce', tickets: [{ ticket_id: 7, quantity: 2 }] } },
  'cart.checkout': {
    headers: { ...CART, 'Idempotency-Key': '1b4e28ba-2fa1-41d2-883f-0016d3cca427' },
    body: { purchaser: { name: 'Ada Lovelace', email: 'ada@example.org' } },
  },
  'qr.scan': { body: CODE },
  'qr.scan_get': { query: CODE },
  'qr.read': { query: { security_code: CODE.security_code } },
  'nonces.create': { body: { action: 'add_ticket_nonce', post_id: 42 } },
  'orders.list': { query: { status: 'pending' } },
  'orders.update': { body: { status: 'completed' } },
  'check_in_keys.create': { body: { name: 'Front door', event_id: 42 } },
  'application_passwords.create': { body: { name: 'calendar import' } },
  'tokens.create': { body: { name: 'website', scopes: ['read'] } },
};
