// Defines the custom elements for the player's controls. Loaded when a video is shown.
import 'media-chrome/dist/media-controller.js';
import 'media-chrome/dist/media-control-bar.js';
import 'media-chrome/dist/media-play-button.js';
import 'media-chrome/dist/media-time-range.js';
import 'media-chrome/dist/media-mute-button.js';
import 'media-chrome/dist/media-fullscreen-button.js';
