import { linkedPostEndpoints } from '../../kinds/linked-post.ts';
import { venue } from './venue.ts';

export const venueEndpoints = linkedPostEndpoints(venue);
