import { ICONS, type IconName } from '../../client/icons.ts';
import './swatch.css';

/** One of our own icons; a word stands beside it or names the button around it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

/** A spot of a colour, beside the name of what has it: the colour says nothing alone. */
export function Swatch({ color }: { color: string }) {
  return <span className="swatch" style={{ background: color }} aria-hidden="true" />;
}
