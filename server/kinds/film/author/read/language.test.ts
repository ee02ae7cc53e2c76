import { expect, it } from 'vitest';
import { languageOf } from './language.ts';

it('A33: a text is in the language of most of its words, by the letters that only one language uses', () => {
  expect(languageOf('Ecco gli orari dei corsi, è più bello così')).toBe('it');
  expect(languageOf('Maak een korte aankondiging met de tekst')).toBe('nl');
  expect(languageOf('Haz un gráfico de líneas con las visitas al museo')).toBe('es');
  expect(languageOf('Voici les ventes de la librairie')).toBe('fr');
  expect(languageOf('Acme 42')).toBe('en');
});

it('A33: what is shown is in the language of its request, unless it is clearly in another one', () => {
  expect(languageOf('Nicolò 3.410', 'es')).toBe('es');
  expect(languageOf('Crêpe 12', 'de')).toBe('de');
  expect(languageOf('Voici les ventes de la librairie', 'en')).toBe('fr');
  expect(languageOf('', 'pt')).toBe('pt');
});

it.each([
  ['Welcome to Los Angeles', 'en'],
  ['El Niño returns', 'en'],
  ['Café Müller opens', 'en'],
  ['Łódź', 'en'],
  ['São Paulo 2026', 'en'],
  ['Der Spiegel turns 80', 'en'],
  ['Müller, Schröder and Jäger meet', 'en'],
  ['Open day at Владимир', 'en'],
  ['Visit Tokyo 東京', 'en'],
  ['مرحبا Acme', 'ar'],
  ['Acme Inc 夜明けの市場で', 'ja'],
  ['Die Übersicht', 'de'],
  ['Grüße aus Köln', 'de'],
  ['einfach schön', 'de'],
  ['¿Los Angeles?', 'es'],
  ['Descubre la ciudad de Los Angeles', 'es'],
])('F10: “%s” is in the language of its words, not of a name in it (%s)', (text, language) => {
  expect(languageOf(text)).toBe(language);
});

it('F10: a name does not change the language of a text in its request', () => {
  expect(languageOf('Łódź 12', 'en')).toBe('en');
  expect(languageOf('Los Ángeles, Las Vegas y El Paso', 'en')).toBe('es');
});
