import { countryCode } from './countries.ts';

/** The parts of a postal address, as recorded. */
interface PostalAddress {
  /** Street and number. */
  street?: string | undefined;
  city?: string | undefined;
  /** State, province or county. */
  region?: string | undefined;
  postcode?: string | undefined;
  country?: string | undefined;
}

/**
 * Address formats by country: `A` is the street, `C` the city, `S` the region, `Z` the postcode. A region that a format
 * lacks is not written in that country. Based on the addressing rules of the Universal Postal Union, without the
 * country code that mail from abroad has before the postcode.
 */
const FORMATS: Readonly<Record<string, string>> = {
  'A\nZ C': `AD AL AT AX AZ BA BE BG BL CH CY CZ DE DK DO DZ EC EE EH ET FI FO FR GE GF GL GN GP GR GT HR HT IS KG KW
    LA LI LR LT LU MA MC MD ME MF MG MK MQ MU MZ NC NE NL NO OM PF PL PM PT PY RE RS SE SI SJ SK SM SN TJ TM TN TZ VA WF
    XK YT ZM`,
  'A\nZ C S': 'IT',
  'A\nZ C, S': 'AM AR BY CL CV ES MX MY NI RO SV UY UZ',
  'A\nZ C/S': 'TR',
  'A\nC Z': `AC AF AI BH BM BN BT FK GB GG GI GS IL IM IO JE JO KE KH LB LK LS MT MV NA NP NZ PN SA SD SG SH SZ TA TC VC VG
    ZA`,
  'A\nC-Z': 'BD PK',
  'A\nC, Z': 'LV MM',
  'A\nC Z\nS': 'IN NG PE VE',
  'A\nC Z S': 'PG',
  'A\nC S Z': 'AU CA CC CU CX HM NF',
  'A\nC, S Z': 'AS BB CN FM GU HN ID IQ JP KR MH MN MP PR PW SO TH TW UM US VI VN',
  'A\nC - S\nZ': 'BR',
  'A\nC\nZ S': 'PH',
  'A\nS, C\nZ': 'CR',
  'Z C\nA': 'HU',
};

/** Address formats in the country's own script, which run from the largest part to the smallest. */
const OWN_SCRIPT: Readonly<Record<string, string>> = {
  CN: 'Z SCA',
  HK: 'SCA',
  JP: '〒Z SCA',
  KR: 'S C A\nZ',
  MO: 'SCA',
  TW: 'Z SCA',
};

/** Longest abbreviation of a region. A region that is spelt out needs a comma before it. */
const ABBREVIATION = 3;

/** The order of the reference, for unknown countries. */
const ANY_COUNTRY = 'A\nC, S, Z';

const formats = new Map(
  Object.entries(FORMATS).flatMap(([format, codes]) => codes.split(/\s+/).map((code) => [code, format] as const)),
);

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The lines of an address as its country writes them, ending with the country as recorded. */
export function postalLines({
  street = '',
  city = '',
  region = '',
  postcode = '',
  country = '',
}: PostalAddress): string[] {
  const usual = formatFor(countryCode(country), `${street}${city}`);
  const format = region.length > ABBREVIATION ? usual.replace('C S Z', 'C, S Z') : usual;
  // Without a city, the region gives the location, even in countries whose addresses have none.
  const isOnlyRegion = city === '' && !format.includes('S');
  const parts = { A: street, C: isOnlyRegion ? region : city, S: region, Z: postcode };
  return [...format.split('\n').map((line) => filledIn(line, parts)), country].filter((line) => line !== '');
}

function formatFor(code: string | undefined, text: string): string {
  if (code === undefined) return ANY_COUNTRY;
  const own = EAST_ASIAN.test(text) ? OWN_SCRIPT[code] : undefined;
  return own ?? formats.get(code) ?? ANY_COUNTRY;
}

/** Fills a line of a format with the parts that exist, each after its punctuation. */
function filledIn(line: string, parts: Readonly<Record<string, string>>): string {
  // Punctuation is at even indexes, letters at odd ones.
  const pieces = line.split(/([ACSZ])/);
  return pieces.reduce((text, letter, index) => {
    const part = index % 2 === 1 ? (parts[letter] ?? '') : '';
    if (part === '') return text;
    return text === '' && index > 1 ? part : text + pieces[index - 1] + part;
  }, '');
}
