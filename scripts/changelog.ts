/** Changes to CHANGELOG.md by `npm run release`. */

const UNRELEASED = '## Unreleased';

/** The lines below a heading of the second level, up to the next one; undefined when there is no such heading. */
export function sectionOf(changelog: string, heading: string): string | undefined {
  const [, ...sections] = changelog.split(/^(?=## )/m);
  const section = sections.find((text) => text === heading || text.startsWith(`${heading}\n`));
  return section?.slice(heading.length).trim();
}

/**
 * The changelog with unreleased changes under the heading of a version, below an empty section for new ones.
 * @throws {Error} if nothing is unreleased, or the version has been released
 */
export function withRelease(changelog: string, version: string, date: string): string {
  if (!sectionOf(changelog, UNRELEASED)) throw new Error('CHANGELOG.md names nothing under "Unreleased".');
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has a version ${version} already.`);
  return changelog.replace(`${UNRELEASED}\n`, () => `${UNRELEASED}\n\n## ${version} - ${date}\n`);
}
