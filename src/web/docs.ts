import { Hono } from 'hono';
import type { Context } from '../context.ts';
export function docsPage(_context: Context): Hono {
  return new Hono();
}
