import { describe, expect, it } from 'vitest';
import { isSameCountry } from './countries.ts';
import { postalLines } from './postal-address.ts';

type Parts = [street: string, city: string, region: string, postcode: string, country: string];

const written = ([street, city, region, postcode, country]: Parts) =>
  postalLines({ street, city, region, postcode, country }).join(' | ');

describe('a postal address', () => {
  it.each<[Parts, string]>([
    [['12 Quay St', 'Boston', 'MA', '02110', 'United States'], '12 Quay St | Boston, MA 02110 | United States'],
    [['12 Quay St', 'Boston', 'MA', '02110', 'US'], '12 Quay St | Boston, MA 02110 | US'],
    [['Invalidenstr. 43', 'Berlin', 'Berlin', '10115', 'Deutschland'], 'Invalidenstr. 43 | 10115 Berlin | Deutschland'],
    [['Invalidenstr. 43', 'Berlin', '', '10115', 'Allemagne'], 'Invalidenstr. 43 | 10115 Berlin | Allemagne'],
    [['Buckingham Palace', 'London', '', 'SW1A 1AA', 'UK'], 'Buckingham Palace | London SW1A 1AA | UK'],
    [['High St 1', 'Bath', 'Somerset', 'BA1 1LZ', 'England'], 'High St 1 | Bath BA1 1LZ | England'],
    [['290 Bremner Blvd', 'Toronto', 'ON', 'M5V 3L9', 'Kanada'], '290 Bremner Blvd | Toronto ON M5V 3L9 | Kanada'],
    [['12, rue Orange', 'Moncton', 'New Brunswick', 'E1C', 'CA'], '12, rue Orange | Moncton, New Brunswick E1C | CA'],
    [['1 Macquarie St', 'Sydney', 'NSW', '2000', 'Australia'], '1 Macquarie St | Sydney NSW 2000 | Australia'],
    [['Via Appia 1', 'Roma', 'RM', '00184', 'Italia'], 'Via Appia 1 | 00184 Roma RM | Italia'],
    [['Gran Vía 1', 'Móstoles', 'Madrid', '28931', 'España'], 'Gran Vía 1 | 28931 Móstoles, Madrid | España'],
    [
      ['Av. Paulista 1', 'São Paulo', 'SP', '01310-100', 'Brasil'],
      'Av. Paulista 1 | São Paulo - SP | 01310-100 | Brasil',
    ],
    [['1 MG Road', 'Mumbai', 'Maharashtra', '400001', 'India'], '1 MG Road | Mumbai 400001 | Maharashtra | India'],
    [['Andrássy út 22', 'Budapest', '', '1061', 'Ungarn'], '1061 Budapest | Andrássy út 22 | Ungarn'],
    [['1-1 Chiyoda', 'Chiyoda-ku', 'Tokyo', '100-0001', 'Japan'], '1-1 Chiyoda | Chiyoda-ku, Tokyo 100-0001 | Japan'],
    [['千代田1-1', '千代田区', '東京都', '100-0001', '日本'], '〒100-0001 東京都千代田区千代田1-1 | 日本'],
    [['세종대로 110', '중구', '서울특별시', '04524', '대한민국'], '서울특별시 중구 세종대로 110 | 04524 | 대한민국'],
    [
      ['1 Pier Rd', 'Galway', 'Co. Galway', 'H91 E2K3', 'Ireland'],
      '1 Pier Rd | Galway, Co. Galway, H91 E2K3 | Ireland',
    ],
    [['1 Mill Lane', 'Salem', 'MA', '01970', ''], '1 Mill Lane | Salem, MA, 01970'],
    [['1 Mill Lane', 'Salem', 'MA', '01970', 'Atlantis'], '1 Mill Lane | Salem, MA, 01970 | Atlantis'],
  ])('of %j', (parts, expected) => {
    expect(written(parts)).toBe(expected);
  });

  it.each<[Parts, string]>([
    [['', 'Boston', '', '02110', 'US'], 'Boston 02110 | US'],
    [['', '', 'MA', '02110', 'US'], 'MA 02110 | US'],
    [['Hafenweg 1', 'Kiel', '', '', 'Germany'], 'Hafenweg 1 | Kiel | Germany'],
    [['Hafenweg 1', '', 'Brandenburg', '', 'Germany'], 'Hafenweg 1 | Brandenburg | Germany'],
    [['', '', '', '100-0001', '日本'], '100-0001 | 日本'],
    [['千代田1-1', '千代田区', '', '', '日本'], '千代田区千代田1-1 | 日本'],
    [['Rua 1', '', 'SP', '', 'Brazil'], 'Rua 1 | SP | Brazil'],
    [['', '', '', '', ''], ''],
  ])('with some parts only: %j', (parts, expected) => {
    expect(written(parts)).toBe(expected);
  });
});

describe('the name of a country', () => {
  it.each([
    ['US', 'usa', 'U.S.A.', 'United States', 'the United States of America', 'États-Unis', 'Vereinigte Staaten'],
    ['DE', 'de', 'Germany', 'Deutschland', 'Allemagne'],
    ['GB', 'UK', 'U.K.', 'United Kingdom', 'Great Britain', 'Royaume-Uni', 'England'],
    ['NL', 'Netherlands', 'The Netherlands', 'Nederland', 'Pays-Bas', 'Holland'],
    ['HK', 'Hong Kong', 'Hongkong'],
    ['BA', 'Bosnia and Herzegovina', 'Bosnia & Herzegovina'],
    ['TW', 'Taiwan', '台灣'],
  ])('%s is known by its code and in several languages', (code, ...names) => {
    for (const name of names) expect([name, isSameCountry(code, name)]).toEqual([name, true]);
  });

  it.each([
    ['Niger', 'Nigeria'],
    ['ZZ', 'US'],
    ['', 'US'],
    ['Atlantis', 'Lemuria'],
  ])('%j is not %j', (one, other) => {
    expect(isSameCountry(one, other)).toBe(false);
  });
});
