import { ICONS, type IconName } from '../../client/icons.ts';

/** One of our own icons; a word stands beside it or names the button around it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}
