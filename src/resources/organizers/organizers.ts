import { linkedPostEndpoints } from '../linked-posts/endpoints.ts';
import { organizer } from './organizer.ts';

export const organizerEndpoints = linkedPostEndpoints(organizer);
