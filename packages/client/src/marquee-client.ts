export type * from './api.ts';
export { createClient } from './client.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type FailedRequest,
  InvalidRequestError,
  MarqueeError,
  NotFoundError,
  PermissionError,
  ServerError,
  TimeoutError,
  TooManyRequestsError,
  UnexpectedAnswerError,
} from './errors.ts';
export type {
  Answer,
  AttendeesResource,
  CodesResource,
  EditableResource,
  Input,
  Listing,
  ListOperation,
  Marquee,
  MediaResource,
  Method,
  MethodById,
  Operation,
  OrdersResource,
  SluggedResource,
  TicketsResource,
  VisitorCart,
} from './interface.ts';
export { type CallOptions, type ClientOptions, type Clock, type Credentials, randomKey } from './options.ts';
export { systemClock } from './retry.ts';
