import { termEndpoints } from '../terms/endpoints.ts';
import { category } from './category.ts';

export const categoryEndpoints = termEndpoints(category);
