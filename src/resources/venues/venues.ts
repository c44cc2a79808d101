import { linkedPostEndpoints } from '../linked-posts/endpoints.ts';
import { venue } from './venue.ts';

export const venueEndpoints = linkedPostEndpoints(venue);
