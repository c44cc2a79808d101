import { create } from 'qrcode';

/** Modules of white around the code, without which some cameras do not find it. */
const MARGIN = 4;

/** A QR code, black on white in either scheme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const path = Array.from(data, (isDark, index) =>
    isDark ? `M${(index % size) + MARGIN} ${Math.floor(index / size) + MARGIN}h1v1h-1z` : '',
  ).join('');
  const width = size + 2 * MARGIN;
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
