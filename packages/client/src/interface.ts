import type { Operations } from './api.ts';
import type { CallOptions } from './options.ts';
import type { ItemOf, ListAnswer } from './pages.ts';

/** Method and path of an operation, such as `GET /events/v1/events/{id}`. */
export type Operation = keyof Operations;

/** The parameters of an operation, wherever they are sent. */
export type Input<O extends Operation> = Operations[O]['input'];

/** The body of the response to an operation. */
export type Answer<O extends Operation> = Operations[O]['answer'];

/** An operation whose response is a page of a list. */
export type ListOperation = { [O in Operation]: Answer<O> extends ListAnswer ? O : never }[Operation];

/** The parameters of an operation, without some of them. */
type Without<O extends Operation, Names extends string> =
  Exclude<keyof Input<O>, Names> extends never ? Record<string, never> : Omit<Input<O>, Names>;

/** Parameters, optional if none of them is required, and options. */
type Arguments<I> =
  Record<never, never> extends I ? [input?: I, options?: CallOptions] : [input: I, options?: CallOptions];

/** Sends an operation; the client adds some of its parameters. */
export type Method<O extends Operation, Added extends string = never> = (
  ...rest: Arguments<Without<O, Added>>
) => Promise<Answer<O>>;

/** Sends an operation on the record with an id. */
export type MethodById<O extends Operation, Added extends string = never> = (
  id: number,
  ...rest: Arguments<Without<O, Added | 'id'>>
) => Promise<Answer<O>>;

/** Pages of a list, requested on demand. */
type Pages<O extends ListOperation> = AsyncGenerator<Answer<O>, void, undefined>;
/** Items of a list, whose pages are requested on demand. */
type Items<O extends ListOperation> = AsyncGenerator<ItemOf<Answer<O>>, void, undefined>;

export interface Listing<O extends ListOperation> {
  /** One page, with the total numbers of items and pages. */
  list: Method<O>;
  /** One page after another, from `page` on. */
  pages(query?: Input<O>, options?: CallOptions): Pages<O>;
  /** One item after another, from `page` on; requests 50 at a time unless `per_page` is given. */
  all(query?: Input<O>, options?: CallOptions): Items<O>;
}

type Slugged = '/events/v1/events' | '/events/v1/venues' | '/events/v1/organizers';
type Editable = Slugged | '/events/v1/categories' | '/events/v1/tags';

/** Records that are read and written by id. */
export interface EditableResource<Path extends Editable> extends Listing<`GET ${Path}`> {
  read: MethodById<`GET ${Path}/{id}`>;
  create: Method<`POST ${Path}`>;
  /** Fields that are not sent keep their values; null or an empty text clears a field. */
  update: MethodById<`PATCH ${Path}/{id}`>;
  /** Moves the record to the trash, if its kind has one; `force` deletes permanently. */
  delete: MethodById<`DELETE ${Path}/{id}`>;
}

/** Records that also have a slug. */
export interface SluggedResource<Path extends Slugged> extends EditableResource<Path> {
  readBySlug(
    slug: string,
    ...rest: Arguments<Without<`GET ${Path}/by-slug/{slug}`, 'slug'>>
  ): Promise<Answer<`GET ${Path}/by-slug/{slug}`>>;
}

/** Tickets. The client fetches the one-time token of each write. */
export interface TicketsResource extends Listing<'GET /tickets/v1/tickets'> {
  read: MethodById<'GET /tickets/v1/tickets/{id}'>;
  create: Method<'POST /tickets/v1/tickets', 'add_ticket_nonce'>;
  update: MethodById<'PATCH /tickets/v1/tickets/{id}', 'edit_ticket_nonce'>;
  /** Takes a ticket off sale; its attendees are kept. */
  delete: MethodById<'DELETE /tickets/v1/tickets/{id}', 'remove_ticket_nonce'>;
}

export interface AttendeesResource extends Listing<'GET /tickets/v1/attendees'> {
  read: MethodById<'GET /tickets/v1/attendees/{id}'>;
  create: Method<'POST /tickets/v1/attendees'>;
  /** Changes an attendee; `check_in` checks in and out manually. */
  update: MethodById<'PATCH /tickets/v1/attendees/{id}'>;
}

/** The cart of one visitor, which holds places for a while. */
export interface VisitorCart {
  /** Gives access to the cart: store it for the visitor's next page. Undefined before the first write. */
  readonly token: string | undefined;
  read: Method<'GET /tickets/v1/cart'>;
  /** Sets the quantity of each listed ticket; 0 removes it. */
  save: Method<'PATCH /tickets/v1/cart', 'provider'>;
  /** Orders the content of the cart. Only this response shows the customer the security codes of the tickets. */
  checkout: Method<'POST /tickets/v1/cart/checkout'>;
}

/** The codes of tickets, by the id of the attendee, which the interface calls `ticket_id` here. */
export interface CodesResource {
  read: MethodById<'GET /tickets/v1/qr/{id}'>;
  /** The code as a PNG picture, for its holder and for users who may read attendees. */
  picture(...rest: Parameters<CodesResource['read']>): Promise<Blob>;
  /**
   * Checks in with a scanned code, using the check-in key of the client.
   * @throws {PermissionError} if the holder is not admitted; its `code` says why, such as `attendee_already_checked_in`
   */
  checkIn: Method<'POST /tickets/v1/qr', 'api_key'>;
}

export interface OrdersResource extends Listing<'GET /admin/v1/orders'> {
  read: MethodById<'GET /admin/v1/orders/{id}'>;
  update: MethodById<'PATCH /admin/v1/orders/{id}'>;
}

/** The images that were uploaded. */
export interface MediaResource extends Listing<'GET /admin/v1/media'> {
  read: MethodById<'GET /admin/v1/media/{id}'>;
  upload: Method<'POST /admin/v1/media'>;
  /** Changes the alternative text, in the language of the call, or the focus point. */
  update: MethodById<'PATCH /admin/v1/media/{id}'>;
  delete: MethodById<'DELETE /admin/v1/media/{id}'>;
}

/** A client of one site, with the rights of one viewer. */
export interface Marquee {
  events: SluggedResource<'/events/v1/events'>;
  venues: SluggedResource<'/events/v1/venues'>;
  organizers: SluggedResource<'/events/v1/organizers'>;
  categories: EditableResource<'/events/v1/categories'>;
  tags: EditableResource<'/events/v1/tags'>;
  tickets: TicketsResource;
  attendees: AttendeesResource;
  orders: OrdersResource;
  media: MediaResource;
  qr: CodesResource;
  /** The cart with a token, or a new one. */
  cart(token?: string): VisitorCart;
  /** Sends any operation of the interface. */
  call<O extends Operation>(operation: O, ...rest: Arguments<Input<O>>): Promise<Answer<O>>;
  /** Any list, one page after another. */
  pages<O extends ListOperation>(operation: O, query?: Input<O>, options?: CallOptions): Pages<O>;
  /** Any list, one item after another. */
  all<O extends ListOperation>(operation: O, query?: Input<O>, options?: CallOptions): Items<O>;
}
