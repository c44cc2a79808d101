import type { Event, Me } from '../../../../packages/client/src/marquee-client.ts';
import { isPublished } from '../../data/post-rights.ts';

/** The text that says why an account may only read an event. */
export const whyShown = ({ author, status }: Event, { id }: Me) =>
  author === String(id) && isPublished(status) ? 'shown.published' : 'shown.others';
