import { encode } from 'uqr';
import './qr-code.css';

/** White modules around the code; some scanners need them. */
const MARGIN = 4;

/** QR code, black on white in both color schemes. The library makes it large: import it only in lazy code. */
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
