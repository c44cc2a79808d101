import { linkedPostEndpoints } from '../../kinds/linked-post.ts';
import { organizer } from './organizer.ts';

export const organizerEndpoints = linkedPostEndpoints(organizer);
