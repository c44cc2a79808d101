import { useQuery } from '@tanstack/react-query';

/** Quiet modules around a code. */
const MARGIN = 4;

/** The modules of a code as one path of squares. */
async function pathOf(content: string): Promise<{ size: number; path: string }> {
  const { encode } = await import('uqr');
  const { size, data } = encode(content, { ecc: 'M', border: MARGIN });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size, path: squares.join('') };
}

/** A QR code, dark on light in both schemes, so that every scanner reads it. */
export function QrCode({ content, label }: { content: string; label: string }) {
  const { data } = useQuery({ queryKey: ['qr', content], queryFn: () => pathOf(content) });
  return (
    <svg className="qr-code" viewBox={`0 0 ${data?.size ?? 1} ${data?.size ?? 1}`} role="img" aria-label={label}>
      <path d={data?.path} />
    </svg>
  );
}
