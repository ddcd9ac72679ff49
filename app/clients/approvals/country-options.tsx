import { useState } from 'react';
import { COUNTRY_CODES } from './country-codes.ts';
import { countryName } from './criteria.ts';

/** Renders select options for all countries, sorted by name, except `excludedCodes`. */
export function CountryOptions({ excludedCodes = [] }: { excludedCodes?: readonly string[] }) {
  const [countries] = useState(() =>
    COUNTRY_CODES.map((code) => ({ code, name: countryName(code) })).sort((a, b) => a.name.localeCompare(b.name, 'en')),
  );
  return countries
    .filter(({ code }) => !excludedCodes.includes(code))
    .map(({ code, name }) => (
      <option key={code} value={code}>
        {name}
      </option>
    ));
}
