// Says so where the token would travel in the clear.
const own = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
document.getElementById("unencrypted").hidden = own || location.protocol === "https:";
