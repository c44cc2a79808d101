import { termEndpoints } from '../terms/endpoints.ts';
import { tag } from './tag.ts';

export const tagEndpoints = termEndpoints(tag);
