import { isProblem } from '../../../client/problem.ts';
import { describe } from '../../ui/states.tsx';

/** What the server says against a file, else against its upload. */
export const whyRefused = (error: unknown): string =>
  (isProblem(error) ? error.fields.file : undefined) ?? describe(error);
