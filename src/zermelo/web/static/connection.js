// The connection to the server: it comes back by itself, and opens the same game again.

export class Connection {
  constructor(hear, changed) {
    this.hear = hear;
    this.changed = changed;
    this.wait = 300;
    this.unsent = [];
    this.open();
  }

  open() {
    this.socket = new WebSocket(`ws://${location.host}/ws`);
    this.socket.onopen = () => {
      this.wait = 300;
      this.changed(true);
      for (const message of this.unsent.splice(0)) this.send(message);
    };
    this.socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    this.socket.onclose = () => {
      this.changed(false);
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 5000);
    };
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else if (this.unsent.length < 5) this.unsent.push(message);
  }
}
