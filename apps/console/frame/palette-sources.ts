import type { IconName } from '../../client/icons.ts';

/** Something that the palette leads to. */
export interface FoundEntry {
  /** Path in the console. */
  path: string;
  text: string;
  icon: IconName;
  /** What it is, or when and where. */
  detail: string;
}

/** Records that what was typed finds. */
export function useFound(_typed: string): FoundEntry[] {
  return [];
}
