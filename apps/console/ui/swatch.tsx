import './swatch.css';

/** A spot of a colour, beside the name of what has it: the colour says nothing alone. */
export function Swatch({ color }: { color: string }) {
  return <span className="swatch" style={{ background: color }} aria-hidden="true" />;
}
