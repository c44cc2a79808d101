import { describe, expect, it } from 'vitest';
import { sectionOf, withRelease } from '../scripts/changelog.ts';

const OLD = '## 0.1.0 - 2026-01-02\n\n- Events.\n';
const CHANGELOG = `# Changelog\n\nHow it is kept.\n\n## Unreleased\n\n### Added\n\n- Tickets for $1.\n\n${OLD}`;

describe('a release', () => {
  const released = withRelease(CHANGELOG, '0.2.0', '2026-03-04');

  it('moves unreleased changes under its version', () => {
    expect(sectionOf(released, '## Unreleased')).toBe('');
    expect(sectionOf(released, '## 0.2.0 - 2026-03-04')).toBe('### Added\n\n- Tickets for $1.');
  });

  it('leaves everything else as it is', () => {
    expect(released.replace('## 0.2.0 - 2026-03-04\n\n', '')).toBe(CHANGELOG);
  });

  it('needs something to release', () => {
    expect(() => withRelease(released, '0.3.0', '2026-05-06')).toThrow('nothing under "Unreleased"');
  });

  it('is not created twice', () => {
    expect(() => withRelease(CHANGELOG, '0.1.0', '2026-05-06')).toThrow('0.1.0 already');
  });
});
