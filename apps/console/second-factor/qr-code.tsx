import { encode } from 'uqr';

/** Modules of white around the code, without which some cameras do not find it. */
const MARGIN = 4;

/** A QR code, black on white in either scheme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size: width, data } = encode(text, { ecc: 'M', border: MARGIN });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      className="qr-code"
      viewBox={`0 0 ${width} ${width}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={width} height={width} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
