/** Said to whoever asks for sound, unless a sound was uploaded. */
export const soundFromWords = 'The film is silent: sound cannot be made from words here. Upload a sound file to hear it.';

export const unsupportedNotes: Readonly<Record<string, string>> = {
  sound: soundFromWords,
  explanation:
    'Nothing is explained by itself here: the film shows the things that you name, and the texts that you put into quotes.',
  font: 'The typeface goes with the style; size and colour of texts can be set.',
  shadow: 'Shadows come by themselves where things touch the ground.',
};
