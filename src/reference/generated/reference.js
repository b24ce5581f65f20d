/*!
This file contains:

preact 11.2.0

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
var g,Fe,tn,P,ge,re,je,Z,Ve,Se,ye,nn,F=Symbol.for("pv"),oe={},se=[],rn=/^m(i|n|o|s|text|space)$/,ve=Array.isArray,Ge=se.slice,q=Object.assign;function M(e){e&&e.parentNode&&e.remove()}function ee(e,t,n,r,o){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:F,__v:o||++Fe,__i:-1,__u:0};return!o&&g.vnode&&g.vnode(s),s}function T(e){return e.children}function te(e,t){this.props=e,this.context=t,this.__g=0}function O(e,t){if(t==null)return e.__&&O(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:O(e)}function on(e){var t,n=e.__v,r=n.__e,o=[],s=[],i=e.__P;i&&((t=q({constructor:F},n)).__v=n.__v+1,g.vnode&&g.vnode(t),xe(i,t,n,e.__n,i.namespaceURI,32&n.__u?[r]:null,o,r||O(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Xe(o,t,s),n.__=n.__e=null,t.__e!=r&&Je(t))}function Je(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Je(e)}function Ue(e){(8&e.__g||(e.__g|=8,P.push(e),re++))&&ge==g.debounceRendering||((ge=g.debounceRendering)||queueMicrotask)(Ke)}function Ke(){try{for(var e,t=1;P.length;)P.length>t&&P.sort(je),e=P.shift(),t=P.length,8&e.__g&&on(e)}finally{(re=P.length)&&(ge||queueMicrotask)(Ke)}}function Ye(e,t,n,r,o,s,i,l,c,d,u){var h,_,a,f,E,y,S=r.__k||se,m=t.length;for(c=sn(n,t,S,c,m),h=0;h<m;h++)(a=n.__k[h])!=null&&(_=~a.__i&&S[a.__i]||oe,a.__i=h,y=xe(e,a,_,o,s,i,l,c,d,u),f=a.__e,(_.ref!=a.ref||8&_.__u)&&(_.ref&&be(_.ref,null,a,_),a.ref&&u.push(a.ref,a.__c||f,a)),E=E||f,4&a.__u?(c=We(a,c,e,!_.__v),_.__e&&(_.__e=null)):typeof a.type=="function"&&y!==void 0?c=y:f&&(c=f.nextSibling),a.__u&=-21);return n.__e=E,c}function sn(e,t,n,r,o){var s,i,l,c,d,u,h,_,a,f=n.length,E=f,y=0,S=0,m=e.__k=Array(o);for(s=0;s<o;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=m[s]=ee(null,i):ve(i)?i=m[s]=ee(T,{children:i}):i.constructor===F&&i.__b?i=m[s]=ee(i.type,i.props,i.key,i.ref,i.__v):m[s]=i,c=s+y,i.__=e,i.__b=e.__b+1,l=null,~(d=i.__i=an(i,n,c,E))&&(E--,(l=n[d])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,d==c-1?y--:d==c+1?y++:d!=c&&(d>c?y--:y++,S=1)):(~d||(o>f?y--:o<f&&y++),typeof i.type!="function"&&(i.__u|=4))):m[s]=null;if(S){for(u=[],h=[],s=0;s<o;s++)if((i=m[s])&&16&i.__u){for(y=0,_=u.length;y<_;)u[a=y+_>>1]<i.__i?y=a+1:_=a;u[y]=i.__i,h[s]=y+1}for(y=u.length;s--;)h[s]&&(h[s]==y?y--:m[s].__u|=4)}if(E)for(s=0;s<f;s++)!(l=n[s])||2&l.__u||(l.__e==r&&(r=O(l)),Ee(l,l));return r}function We(e,t,n,r){var o,s,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&(o[s].__=e,t=We(o[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=O(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!r&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function an(e,t,n,r){var o,{key:s,type:i}=e,l=t[n],c=l&&!(2&l.__u);if(l===null&&s==null||c&&s==l.key&&i==l.type)return n;if(r>(c?1:0)){for(o=n-1;o>=0;o--)if((l=t[o])&&!(2&l.__u)&&s==l.key&&i==l.type)return o;for(o=n+1;o<t.length;o++)if((l=t[o])&&!(2&l.__u)&&s==l.key&&i==l.type)return o}return-1}function Be(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Q(e,t,n,r,o){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Be(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Be(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(i=ye[t]||(ye[t]=ln(t)),(e.__a||(e.__a={}))[t]=Se,s=t!=(t=t.replace(Ve,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(l){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function ln(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Z]==null)t[Z]=Se++;else if(t[Z]<this.__a[e])return;return n(g.event?g.event(t):t)}}}function xe(e,t,n,r,o,s,i,l,c,d){var u,h,_,a,f,E,y,S,m,A,v,he,He,X,N,De,C,L,R=t.type;if(t.constructor!==F)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,h=s=[],u.nodeType==8?l=ne(u,s):s.push(u),l=s[0]||l),(u=g.__b)&&u(t);e:if(typeof R=="function"){_=i.length;try{if(S=t.props,m=(u=R.prototype)&&u.render,A=(u=R.contextType)&&r[u.__c],v=u?A?A.props.value:u.__:r,(a=n.__c)?(t.__c=a,2&a.__g&&(a.__g|=1)):(m?t.__c=a=new R(S,v):(t.__c=a=new te(S,v),a.constructor=R,a.render=cn),A&&A.sub(a),a.state||(a.state={}),a.__n=r,a.__g|=8,a.__h=[],a.__k=[]),m&&(a.__s||(a.__s=a.state),R.getDerivedStateFromProps&&(a.__s==a.state&&(a.__s=q({},a.__s)),q(a.__s,R.getDerivedStateFromProps(S,a.__s)))),f=a.props,E=a.state,a.__v=t,n.__c){if(S!==f&&m&&!R.getDerivedStateFromProps&&a.componentWillReceiveProps&&a.componentWillReceiveProps(S,v),t.__v==n.__v&&!(8&a.__g)||!(4&a.__g)&&a.shouldComponentUpdate&&a.shouldComponentUpdate(S,a.__s,v)===!1){t.__v!=n.__v&&(a.props=S,a.state=a.__s,a.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(w){w&&(w.__=t)}),se.push.apply(a.__h,a.__k),a.__k=[],a.__h.length&&i.push(a),l=O(n);break e}a.componentWillUpdate&&a.componentWillUpdate(S,a.__s,v),m&&a.componentDidUpdate&&a.__h.push(function(){a.componentDidUpdate(f,E,y)})}else m&&!R.getDerivedStateFromProps&&a.componentWillMount&&a.componentWillMount(),m&&a.componentDidMount&&a.__h.push(a.componentDidMount);a.context=v,a.props=S,a.__P=e,a.__g&=-5,he=g.__r,He=m?25:0;do a.__g&=-9,he&&he(t),u=a.render(a.props,a.state=a.__s,a.context);while(8&a.__g&&++He<25);m&&(se.push.apply(a.__h,a.__k),a.__k=[]),a.state=a.__s,a.getChildContext&&(r=q({},r,a.getChildContext())),m&&n.__c&&a.getSnapshotBeforeUpdate&&(y=a.getSnapshotBeforeUpdate(f,E)),X=u&&u.type===T&&u.key==null?u.props.children:u,S.__P&&(u=l,o=(e=S.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(w){w&&Ee(w,w)}),n.__k=null),l=n.__k?O(n,0):null),l=Ye(e,ve(X)?X:[X],t,n,r,o,s,i,l,c,d),S.__P&&(t.__e=null,l=u),t.__u&=-161,h&&h.some(M),a.__h.length&&i.push(a),1&a.__g&&(a.__g&=-4)}catch(w){if(i.length=_,t.__v=null,c||s)if(w&&w.then){if(t.__u|=128|c,s){for(~(C=s.indexOf(l||void 0))||(C=s.length);(L=s[C-1])&&L.nodeType==8;)C--;for(;C<s.length;C++)if(L=s[C])if(s[C]=null,N){if(L==De)break}else{if(L.nodeType!=8)break;L.data.startsWith("$s")&&(De=ne(N=L))}}if(!N){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;N=l}(u=ne(N=t.__c.__z||(t.__c.__z=N)))?(t.__e=N,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(M);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),w&&w.then||ze(t),g.__e(w,t,n)}}else l=t.__e=un(n.__e,t,n,r,o,s,i,c,d,e);return(u=g.diffed)&&u(t),l}function ne(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function ze(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(ze))}function Xe(e,t,n){for(var r=0;r<n.length;)be(n[r++],n[r++],n[r++]);g.__c&&g.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(s){s.call(o)})}catch(s){g.__e(s,o.__v)}})}function un(e,t,n,r,o,s,i,l,c,d){var u,h,_,a,f,E,y,S,m=n.props||oe,{props:A,type:v}=t;if(v=="svg"?o="http://www.w3.org/2000/svg":v=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((f=s[u])&&(v?f.localName==v:f.nodeType==3)){e=f,s[u]=null;break}}if(!e){if(S=d.ownerDocument||document,!v)return S.createTextNode(A);e=S.createElementNS(o,v,A.is?A:d),l&&(g.__m&&g.__m(t,s),l=!1),s=null}if(v){if(d=v=="template"&&e.content||e,s=v=="textarea"&&A.defaultValue!=null?null:s&&Ge.call(d.childNodes),!l&&s)for(m={},u=0;u<e.attributes.length;u++)m[(f=e.attributes[u]).name]=f.value;for(u in m)f=m[u],u=="dangerouslySetInnerHTML"?_=f:u=="children"||(u in A)||u=="value"&&("defaultValue"in A)||u=="checked"&&("defaultChecked"in A)||Q(e,u,null,f,o);for(u in A)f=A[u],u=="children"?a=f:u=="dangerouslySetInnerHTML"?h=f:u=="value"?E=f:u=="checked"?y=f:l&&typeof f!="function"||m[u]===f||Q(e,u,f,m[u],o);h?(l||_&&(h.__html==_.__html||h.__html==e.innerHTML)||(e.innerHTML=h.__html),t.__k=[]):(_&&(e.textContent=""),(v=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&rn.test(v))&&(o="http://www.w3.org/1999/xhtml"),Ye(d,ve(a)?a:[a],t,n,r,o,s,i,s?s[0]:n.__k&&O(n,0),l,c),s&&s.some(M)),l&&v!="textarea"||(u="value",v=="progress"&&E==null?e.removeAttribute(u):E==null||E===e[u]&&(v!="progress"||E)||Q(e,u,E,m[u],o),u="checked",y!=null&&y!=e[u]&&Q(e,u,y,m[u],o))}else m===A||l&&e.data==A||(e.data=A);return e}function be(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){g.__e(o,n)}}function Ee(e,t,n){var r,o,s,i;if(g.unmount&&g.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||be(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(l){g.__e(l,t)}r.__P=r.__n=null}if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&Ee(r[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=ne(r,s=[]))&&(r==e.__e&&s.some(M),M(o),M(r)),n||M(e.__e),e.__e=e.__c=e.__=null}function cn(e,t,n){return this.constructor(e,n)}function pn(e,t){var n,r,o,s;g.__&&g.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=ee(T,{children:[e]}),o=[],s=[],xe(t,t.__k,r||oe,oe,t.namespaceURI,r?null:t.firstChild?Ge.call(t.childNodes):null,o,r?r.__e:t.firstChild,n,s),Xe(o,t.__k,s),t.__k.props.children=null}function Qe(e,t){e&&typeof e=="object"&&(e.__u|=32),pn(e,t)}g={__e:function(e,t,n,r){for(var o,s,i;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((i=(s=o.constructor)&&s.getDerivedStateFromError)&&o.setState(s.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),i=1),i&&8&o.__g)return void(o.__g|=2)}catch(l){e=l}}throw re=0,e}},Fe=0,tn=function(e){return e!=null&&e.constructor===F},te.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=q({},this.state)),typeof e=="function"&&(e=e(q({},n),this.props)),e&&(q(n,e),this.__v&&(t&&this.__k.push(t),Ue(this)))},te.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Ue(this))},te.prototype.render=T,P=[],re=0,je=function(e,t){return e.__v.__b-t.__v.__b},Z=Symbol(),Ve=/(PointerCapture)$|Capture$/i,Se=0,ye={},nn=0;var V,b,Ae,Ze,we=Object.is,ie=0,lt=[],Te=[],x=g,{__b:et,__r:tt,diffed:nt,__c:rt,unmount:ot,__:st}=x;function Re(e,t){x.__h&&x.__h(b,e,ie||t),ie=0;var n=b.__H||(b.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function k(e){return ie=1,dn(ct,e)}function dn(e,t,n){var r=Re(V++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):ct(void 0,t),function(s){var i=(r.__N||r.__)[0],l=r.t(i,s);we(i,l)||(r.__N=[l,r.__[1]],r.__c.setState({}))}],r.__c=b,!b.__f)){b.__f=!0;var o=b.shouldComponentUpdate;b.shouldComponentUpdate=function(s,i,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=s;if(c.__.some(function(_){_.__N&&(d=!0,we(_.__[0],_.__N[0])||(u=!0))}),o){var h=o.call(this,s,i,l);return d?h||u:h}return!d||u}}return r.__}function H(e,t){var n=Re(V++,4);!x.__s&&ut(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,b.__h.push(n))}function ae(e){return ie=5,_n(function(){return{current:e}},[])}function _n(e,t){var n=Re(V++,7);return ut(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function fn(){var e;do{for(;e=Te.shift();)try{j(e)}catch(n){x.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=lt.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(j),t.__h.some(ke),t.__h=[]}catch(n){t.__h=[],x.__e(n,e.__v)}}}while(Te.length)}x.__b=function(e){b=null,et&&et(e)},x.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),st&&st(e,t)},x.__r=function(e){tt&&tt(e),V=0;var t=(b=e.__c).__H;t&&(Ae==b?b.__h=[]:(t.__h.some(j),t.__h.some(ke),V=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Ae=b},x.diffed=function(e){nt&&nt(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&at(lt.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ae=b=null},x.__c=function(e,t){t.some(function(n){try{n.__h.some(j),n.__h=n.__h.filter(function(r){return!r.__||ke(r)})}catch(r){n.__h=[function(){throw r}]}}),rt&&rt(e,t)},x.unmount=function(e){ot&&ot(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,at(Te.push(o))}else j(o)}catch(s){t=s}}),r.__H=void 0,t&&x.__e(t,r.__v))};var it=typeof requestAnimationFrame=="function";function mn(e){var t,n=function(){clearTimeout(r),it&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);it&&(t=requestAnimationFrame(n))}function at(e){e!=1&&Ze==x.requestAnimationFrame||((Ze=x.requestAnimationFrame)||mn)(fn)}function j(e){var t=b,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),b=t}function ke(e){var t=b;e.__c=e.__(),b=t}function ut(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!we(n,e[r])})}function ct(e,t){return typeof t=="function"?t(e):t}var G="/v1";var pt="/docs/errors";var dt="/docs/search.json",_t="/docs/search.js";var ft="/client.tgz",mr={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${G}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var hn=Symbol.for("pv"),gn=0;function p(e,t,n,r,o,s){t||(t={});var i,l,c=t;if("ref"in c&&typeof e!="function")for(l in c={},t)l=="ref"?i=t[l]:c[l]=t[l];var d={type:e,props:c,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:hn,__v:--gn,__i:-1,__u:0};return(o||s)&&(d.__source=o,d.__self=s),g.vnode&&g.vnode(d),d}function J({language:e,code:t}){return p("pre",{class:"code",tabIndex:0,children:p("code",{children:vn(e,t).map(({kind:n,text:r})=>n===void 0?r:p("span",{class:`code-${n}`,children:r}))})})}function le({what:e="code"}){return p("button",{type:"button",class:"copy secondary small needs-script","aria-live":"polite",children:["Copy",p("span",{class:"hidden",children:[" ",e]})]})}var yn=Ie({name:/"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,comment:/(?<=^|\s)(?:\/\/|#).*/,string:/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,number:/(?<![\w.])-?\d+(?:\.\d+)?n?\b/,keyword:new RegExp("\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|with|as|try|except|raise|package|func|var|defer|nil)\\b")}),mt=Ie({comment:/(?<=^|\s)#.*/,string:/'[^']*'?|"[^"]*"?/,keyword:/(?<=\s)--?[a-zA-Z][\w-]*/,name:/^curl\b/}),Sn={curl:mt,sh:mt,http:Ie({name:/^[\w-]+(?=:)/})};function Ie(e){let t=Object.entries(e).map(([n,{source:r}])=>`(?<${n}>${r})`);return new RegExp(t.join("|"),"gm")}function vn(e,t){let n=[],r=0;for(let{0:o,index:s,groups:i={}}of t.matchAll(Sn[e]??yn)){if(o==="")continue;if(s>r)n.push({text:t.slice(r,s)});n.push({kind:Object.keys(i).find((l)=>i[l]!==void 0),text:o}),r=s+o.length}if(r<t.length)n.push({text:t.slice(r)});return n}function ue(e){return`'${e.replaceAll("'","'\\''")}'`}var ht=`# curl

## A request

\`\`\`sh
curl -X {{methodAndUrl}} \\
  -i --fail-with-body \\
  {{options}} \\
  {{lastOption}}
\`\`\`

## Every page

\`\`\`sh
url={{url}}
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt -w '\\n' "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || break
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done
\`\`\`

## A request with retries

\`\`\`sh
send() {
  curl -X {{methodAndUrl}} \\
    -isS -m 30 -w '\\n%{http_code}' \\
    {{options}} \\
    {{lastOption}}
}

for attempt in 0 1 2 3 4 5; do
  # 000 without a complete response
  response=$(send) && code=\${response##*[!0-9]} || code=000
  case $code in 000 | {{retried}}) ;; *) break ;; esac
  after=$(printf '%s' "$response" |
    sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9]*\\).*/\\1/p' | head -n 1)
  [ "\${after:=0}" -le 120 ] && [ $attempt -lt 5 ] || break
  # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  random=$(od -An -N2 -tu2 /dev/urandom)
  sleep "$(awk "BEGIN { print $after + $random / 65536 * 2 ^ $attempt }")"
done
printf '%s\\n' "$response"
[ "\${code%??}" = 2 ]
\`\`\`
`;var gt=`# JavaScript

## A request

\`\`\`js
const response = await fetch({{url}}, {
  method: '{{method}}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
    {{headers}},
  },
  body: {{body}},
});

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);
\`\`\`

## Every page

\`\`\`js
let url = {{url}};
while (url !== undefined) {
  const response = await fetch(url, {
    headers: { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
  const link = response.headers.get('Link');
  url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
}
\`\`\`

## A request with retries

\`\`\`js
const send = () => fetch({{url}}, {
  method: '{{method}}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
    {{headers}},
  },
  body: {{body}},
  signal: AbortSignal.timeout(30_000),
});

for (let attempt = 0; ; attempt++) {
  let failure;
  let wait = 0;
  try {
    const response = await send();
    wait = parseInt(response.headers.get('Retry-After')) || 0;
    const text = await response.text();
    console.log(response.status, text);
    if (response.ok) break;
    failure = new Error(text);
    const retried = [{{retried}}];
    if (!retried.includes(response.status)) wait = Infinity;
  } catch (error) {
    failure = error; // no complete response
  }
  if (wait > 120 || attempt === 5) throw failure;
  // Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  const seconds = wait + Math.random() * 2 ** attempt;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
\`\`\`
`;var yt=`# Go

## A request

\`\`\`go
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	{{bodyPackage}}
)

func main() {
	request, err := http.NewRequest(
		"{{method}}",
		{{url}},
		{{bodyReader}},
	)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
	request.Header.Set({{headers}})

	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}
\`\`\`

## Every page

\`\`\`go
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
)

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := {{url}}
	for url != "" {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			log.Fatal(err)
		}
		if response.StatusCode >= 300 {
			log.Fatalln(response.Status, string(body))
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}
\`\`\`

## A request with retries

\`\`\`go
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	{{bodyPackage}}
	"time"
)

var client = http.Client{Timeout: 30 * time.Second}

func main() {
	for attempt := 0; ; attempt++ {
		wait, err := send()
		if err == nil {
			return
		}
		if wait > 120 || attempt == 5 {
			log.Fatal(err)
		}
		// Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
		wait += rand.Float64() * math.Pow(2, float64(attempt))
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
}

// Returns an error with the seconds to wait before the next attempt.
func send() (wait float64, err error) {
	request, err := http.NewRequest(
		"{{method}}",
		{{url}},
		{{bodyReader}},
	)
	if err != nil {
		return wait, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
	request.Header.Set({{headers}})

	response, err := client.Do(request)
	if err != nil {
		return wait, err
	}
	defer response.Body.Close()
	wait, _ = strconv.ParseFloat(response.Header.Get("Retry-After"), 64)

	body, err := io.ReadAll(response.Body)
	if err != nil {
		return wait, err
	}
	fmt.Println(response.Status, string(body))
	if response.StatusCode < 300 {
		return 0, nil
	}
	switch response.StatusCode {
	case {{retried}}:
		return wait, errors.New(response.Status)
	}
	return math.Inf(1), errors.New(response.Status)
}
\`\`\`
`;var St=`# Python

## A request

\`\`\`python
import json
import os
import urllib.error
import urllib.request

request = urllib.request.Request(
    {{url}},
    method="{{method}}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
        {{headers}},
    },
    data={{body}}.encode(),
)

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")
\`\`\`

## Every page

\`\`\`python
import json
import os
import re
import urllib.error
import urllib.request

url = {{url}}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request) as response:
            for pet in json.load(response):
                print(pet)
            link = response.headers.get("Link", "")
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{error.code} {error.read().decode()}")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]
\`\`\`

## A request with retries

\`\`\`python
import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request

request = urllib.request.Request(
    {{url}},
    method="{{method}}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
        {{headers}},
    },
    data={{body}}.encode(),
)

for attempt in range(6):
    wait = 0
    try:
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                print(response.status, json.load(response))
                break
        except urllib.error.HTTPError as error:
            after = error.headers.get("Retry-After", "")
            wait = int(after) if after.isdecimal() else 0
            failure = f"{error.code} {error.read().decode(errors='replace')}"
            if error.code not in ({{retried}}):
                raise SystemExit(failure)
    except (OSError, http.client.HTTPException) as error:
        failure = f"No complete response: {error}"
    if wait > 120 or attempt == 5:
        raise SystemExit(failure)
    # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
    time.sleep(wait + random.random() * 2**attempt)
\`\`\`
`;var bt=-(2n**63n),Et=2n**63n-1n,kr=`must be an integer from ${bt} to ${Et}`,wn=/^(?:0|-?[1-9][0-9]{0,18})$/,Tn=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;var vt=/[1-9]/;function xt(e){if(!wn.test(e))return;let t=BigInt(e);return t>=bt&&t<=Et?t:void 0}function At(e){let t=xt(e);if(t!==void 0)return t;let n=Tn.exec(e),[,r,o="",s="",i="0"]=n,l=o+s,c=l.search(vt);if(c===-1)return 0n;let d=o.length+Number(i);if(d<=c||d-c>19||vt.test(l.slice(d)))return;return xt(r+l.slice(c,d).padEnd(d-c,"0"))}class pe extends Error{name="JsonSyntaxError"}var wt=64,kn=1000,Pe=34,Rn=92,In=32,Cn=57,Ce=/[ \n\r\t]*/y,kt="\\u0000-\\u001F",Tt=new RegExp(`[${kt}]`,"g"),Pn=new RegExp(`[\\\\${kt}]`),ce=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function Rt(e,t=1/0){return new It(e,t).parse()}class It{text;maxValues;#e=0;#a=-1;constructor(e,t){this.text=e;this.maxValues=t}parse(){let e=this.#o(1);if(this.#e<this.text.length)this.#n("expected the end");return e}#n(e){throw new pe(`is not valid JSON: ${e} at character ${this.#e+1}`)}#r(){if(this.text.charCodeAt(this.#e)>In)return;Ce.lastIndex=this.#e,Ce.test(this.text),this.#e=Ce.lastIndex}#t(e){if(!this.text.startsWith(e,this.#e))return!1;return this.#e+=e.length,!0}#s(){let e=this.text,t=this.#e,n=e.indexOf('"',t+1);if(On(e,n))n=Nn(e,n+1);if(n===-1)this.#i(t,e.length,"a string has no end");this.#e=n+1;let r=e.slice(t+1,n);if(!Pn.test(r))return r;try{return JSON.parse(e.slice(t,this.#e))}catch{return this.#i(t,this.#e,"a string has an invalid escape")}}#i(e,t,n){Tt.lastIndex=e;let r=Tt.exec(this.text)?.index??t;this.#e=Math.min(r,t),this.#n(r<t?"a string has an unescaped control character":n)}#l(){if(ce.lastIndex=this.#e,!ce.test(this.text))this.#n("expected a value");let e=this.text.slice(this.#e,ce.lastIndex);return this.#e=ce.lastIndex,At(e)??(e.length>kn?Number.NaN:Number(e))}#u(e){let t=[];if(this.#r(),this.#t("]"))return t;do t.push(this.#o(e));while(this.#t(","));if(!this.#t("]"))this.#n('expected "," or "]"');return t}#c(e){let t=Object.create(null);if(this.#r(),this.#t("}"))return t;do{if(this.#r(),this.text.charCodeAt(this.#e)!==Pe)this.#n("expected the name of a field in double quotes");let n=this.#e,r=this.#s();if(r in t)this.#e=n,this.#n("a field is repeated");if(this.#r(),!this.#t(":"))this.#n('expected ":"');t[r]=this.#o(e)}while(this.#t(","));if(!this.#t("}"))this.#n('expected "," or "}"');return t}#o(e){if(e>wt)throw new pe(`is nested deeper than ${wt} levels`);if(++this.#a>this.maxValues)throw new pe(`has more than ${this.maxValues} values`);this.#r();let t,n=this.text.charCodeAt(this.#e);if(n===Pe)t=this.#s();else if(n<=Cn)t=this.#l();else if(this.#t("{"))t=this.#c(e+1);else if(this.#t("["))t=this.#u(e+1);else if(this.#t("true"))t=!0;else if(this.#t("false"))t=!1;else if(this.#t("null"))t=null;else this.#n("expected a value");return this.#r(),t}}function On(e,t){let n=t;while(e[n-1]==="\\")n--;return(t-n)%2===1}function Nn(e,t){for(let n=t;n<e.length;n++){let r=e.charCodeAt(n);if(r===Pe)return n;if(r===Rn)n++}return-1}function de(e,t){return JSON.stringify(e,(n,r)=>Ln(r),t)}function Ln(e){if(typeof e!=="bigint")return e;let t=Number(e);return Number.isSafeInteger(t)?t:JSON.rawJSON(String(e))}var Oe=[408,429,502,503,504];function K({baseUrl:e,path:t,values:n}){let r=t.replace(/\{(\w+)\}/g,(s,i)=>encodeURIComponent((n.path[i]??"").toWellFormed())),o=new URLSearchParams(n.query);return`${e}${r}${o.size>0?`?${o}`:""}`}function D({values:e,otherBody:t}){return t??(e.body&&de(e.body))}function Y(e){let t=Object.entries(e.values.header);if(D(e)!==void 0)t.push(["Content-Type","application/json"]);return t}var _e=/^-?(?:0|[1-9][0-9]*)$/,Mn=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function W(e){return JSON.stringify(e).replace(Mn,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function I(e){return`'${W(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var Ct=B("curl","curl",ht,(e)=>{let t=D(e),n=['-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...Y(e).map((o)=>`-H ${ue(o.join(": "))}`)];if(t!==void 0)n.push(`--data-raw ${ue(t)}`);let r=ue(K(e));return{url:r,retried:Oe.join(" | "),methodAndUrl:`${e.method} ${r}`,options:n.slice(0,-1),lastOption:n.slice(-1)}}),fe=B("fetch","JavaScript",gt,(e)=>Ne(e,I)),Pt=B("python","Python",St,(e)=>Ne(e,W)),Ot=B("go","Go",yt,(e)=>{let t=D(e);return{...Ne(e,W,", "),bodyPackage:t===void 0?[]:'"strings"',bodyReader:t===void 0?"nil":`strings.NewReader(${$n(t)})`}});function Ne(e,t,n=": "){let r=D(e);return{url:t(K(e)),headers:Y(e).map((o)=>o.map(t).join(n)),body:r===void 0?[]:I(r)}}function $n(e){let t=W(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}function B(e,t,n,r){let o=Array.from(n.matchAll(/^```\w+\n(.*?)\n```$/gms),([,c=""])=>c),[s,i,l]=o.map((c)=>(d)=>{let{method:u}=d;return qn(c,{method:u,retried:Oe.join(", "),...r(d)})});return{id:e,title:t,request:s,pageLoop:i,retryLoop:l}}function qn(e,t){return e.split(`
`).flatMap((r)=>{let[o,s]=/\{\{(\w+)\}\}/.exec(r)??[];if(o===void 0||s===void 0)return r;let i=t[s];if(i===void 0)throw Error(`The sample has no value for ${o}.`);return[i].flat().map((l)=>r.replace(o,()=>l))}).join(`
`)}var Nt={id:"int64",name:"text",categoryId:"int64",status:"text"};var Lt=`# TypeScript

## A request

\`\`\`ts
// npm install {{package}}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: {{baseUrl}} });

{{call}}
\`\`\`

## Every page

\`\`\`ts
// npm install {{package}}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: {{baseUrl}} });

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);
\`\`\`

## A request with retries

\`\`\`ts
// The client waits, backs off and repeats for you.
// npm install {{package}}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: {{baseUrl}} });

{{call}}
\`\`\`
`;var Mt=B("typescript","TypeScript",Lt,(e)=>{let{operation:t,baseUrl:n,values:r}=e;return{package:n.slice(0,-G.length)+ft,baseUrl:I(n),call:Dn[t](r)}}),qt={...Mt,request:(e)=>e.otherBody===void 0?Mt.request(e):`// The client sends only pets. Other JSON needs fetch.
${fe.request(e)}`},Dn={listPets({query:e}){return`const page = await store.listPets(${$t(e,(n,r)=>Un[n](r))});
console.log(page.pets);`},createPet({body:e={},header:t}){let n=$t(e,Bn),r=t["Idempotency-Key"],o=r===void 0?"":`, { idempotencyKey: ${I(r)} }`;return`const pet = await store.createPet(${n}${o});
console.log(pet);`},getPet:({path:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${Ht(e.petId??"")});
console.log(pet); // undefined if there is none`},Un={limit:Dt,status:I,after:Ht};function Ht(e){return Dt(e,"n")}function Dt(e,t=""){return _e.test(e)?e+t:I(e)}function Bn(e,t){if(typeof t==="string")return I(t);return Nt[e].startsWith("int64")?`${t}n`:`${t}`}function $t(e,t){let n=Object.entries(e).map(([r,o])=>`  ${r}: ${t(r,o)},
`);return n.length===0?"":`{
${n.join("")}}`}var z=[Ct,qt,fe,Pt,Ot];var Fn=["bad","neutral","good","info","warning","bad"];function Ut({status:e,title:t}){return p("span",{class:`badge status ${Fn[Math.floor(e/100)]}`,children:t??e})}function Bt({outcome:e,isSending:t}){let{title:n,status:r=0,note:o,body:s,headers:i,errorCode:l}=e;return p("div",{class:"response","aria-busy":t,children:[p("div",{class:"line",children:[p("span",{role:"status",children:t?"Sending…":p(T,{children:[p(Ut,{status:r,title:n})," ",p("span",{class:"note",children:o})]})}),s&&p(le,{what:"response"})]}),l!==void 0&&p("p",{class:"error-code",children:["Error"," ",p("a",{href:`.${pt}#${l}`,children:p("code",{children:l})}),": what it means and what to do"]}),s&&p(J,{language:"json",code:jn(s)}),i!==void 0&&p("details",{children:[p("summary",{children:["Headers ",p("span",{class:"note",children:i.length})]}),p(J,{language:"http",code:i.map(([c,d])=>`${c}: ${d}`).join(`
`)})]})]})}function jn(e){try{return de(Rt(e),2)}catch{return e}}class Le extends EventTarget{storage;name;#e;constructor(e,t){super();this.storage=e;this.name=t;this.#e=Ft(()=>e().getItem(t))??""}get value(){return this.#e}set(e){this.#e=e,Ft(()=>this.storage().setItem(this.name,e)),this.dispatchEvent(new Event("change"))}}var U=new Le(()=>sessionStorage,"animal-store.key"),Me=new Le(()=>localStorage,"animal-store.language");function $e(e){let[t,n]=k();return H(()=>{let r=()=>n(e.value);e.addEventListener("change",r),r()},[e]),t}function Ft(e){try{return e()}catch{return}}var Vn=/#(\w+)>; rel="help"/,Gn=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function jt(e){let[t,n]=k(e),[r,o]=k(!1),s=ae(void 0);return{outcome:t,isSending:r,sendOrCancel:async(l)=>{if(s.current!==void 0)return s.current.abort();s.current=new AbortController,o(!0);let{signal:c}=s.current;await Yn(l(),c),n(await Vt(l(),c)),o(!1),s.current=void 0}}}async function Vt(e,t){let{method:n}=e,r=Y(e);if(U.value!=="")r.push(["Authorization",`Bearer ${U.value}`]);let o=performance.now();if(r.some(([,s])=>/[^\x20-\x7e]/.test(s)))return{title:"Not sent",note:Jn};try{let s=await fetch(K(e),{method:n,headers:r,signal:t,body:D(e)??null,cache:"no-store",credentials:"omit"}),i=await zn(s,o);if(s.ok)Wn(n==="POST",i.body);return i}catch(s){if(!t.aborted)return{title:"No response",note:`${Kn} ${s}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var Jn="A header may contain only ASCII characters. Check your API key.",Kn="The service cannot be reached from this page. Check your connection and the headers.",me="nothing",Gt=()=>document.querySelector("[data-place=path]");async function Yn(e,t){let[n="",r]=e.path.split("/{"),o=Gt(),s=me==="nothing"&&o?.value===o?.defaultValue;if(r===void 0||!s||U.value==="")return;me="listed",await Vt({...e,path:n,values:{path:{},query:{limit:"1"},header:{}}},t)}function Wn(e,t){let[,n]=/"id":(-?\d+)/.exec(t)??[],r=Gt();if(n===void 0||r===null||me==="added"&&!e)return;me=e?"added":"listed",r.defaultValue=n,r.dispatchEvent(new Event("input",{bubbles:!0}))}async function zn(e,t){let{status:n,statusText:r,headers:o}=e,s=await e.text(),i=o.get("Link")??"";return{title:`${n} ${r}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${Xn(o)}`,body:s,headers:[...o],nextAfter:Gn.exec(i)?.[1],errorCode:Vn.exec(i)?.[1]}}function Xn(e){let[t,n,r]=["Limit","Remaining","Reset"].map((s)=>e.get(`X-RateLimit-${s}`));if(!r)return"";let o=new Date(Number(r)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${o}`}function Kt({id:e,request:t,example:n}){let r=ae(null),o=()=>r.current?.closest("form"),[s,i]=k(t),{outcome:l,isSending:c,sendOrCancel:d}=jt(n),{nextAfter:u}=l;H(()=>{let _=o();if(!_)return;let a=()=>i(Jt(_,t));_.addEventListener("input",a),_.addEventListener("submit",(f)=>{f.preventDefault(),a(),d(()=>Jt(_,t))}),a()},[]);let h=()=>{let _=o()?.querySelector("[name=after]");if(!_)return;_.value=u??"",_.form?.requestSubmit()};return p("div",{class:"panel",ref:r,children:[p(Wt,{codeOf:(_)=>_.request(s)}),p("div",{class:"line send needs-script",children:[p("button",{type:"submit",onClick:(_)=>_.detail>1&&_.preventDefault(),children:[c?"Cancel":"Send",p("span",{class:"hidden",children:[" ",s.operation]})]}),p(Qn,{})]}),p(Bt,{outcome:l,isSending:c}),e===s.operation&&u!==void 0&&p("p",{children:p("button",{type:"button",class:"secondary",onClick:h,children:"Next page"})})]})}function Yt({loop:e,request:t}){let[n,r]=k(t.baseUrl);return H(()=>r(zt()),[]),p("div",{class:"panel",children:p(Wt,{codeOf:(o)=>o[e]({...t,baseUrl:n})})})}function Qn(){let e=$e(U)??"";return p("input",{type:"password",autocomplete:"off","aria-label":"API key",title:"Kept until the tab closes",placeholder:"API key: ask_…",value:e,onInput:({currentTarget:t})=>U.set(Zn(t.value))})}function Zn(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}function Wt({codeOf:e}){let t=$e(Me),n=z.find(({id:o})=>o===t)??z[0],r=t===void 0?z:[n];return p(T,{children:[p("div",{class:"line needs-script",children:[p("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:o})=>Me.set(o.value),children:z.map(({id:o,title:s})=>p("option",{value:o,children:s},o))}),p(le,{})]}),r.map((o)=>p(T,{children:[p("p",{class:"language",children:o.title}),p(J,{language:o.id,code:e(o)})]},o.id))]})}function Jt(e,t){let n=structuredClone(t.values);for(let{name:o,value:s,inputMode:i,dataset:l}of e.querySelectorAll("[data-place]")){let c=n[l.place]??{},d=s.trim(),u=c===n.body,h=u&&i==="numeric"&&_e.test(d),_=u&&l.type==="boolean";if(c[o]=h?BigInt(d):_?d==="true":d,d==="")delete c[o]}let r=e.querySelector("details[open] textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:zt(),values:n,otherBody:r}}function zt(){return location.origin+new URL(`..${G}`,import.meta.url).pathname}function Xt({root:e}){let[t,n]=k(""),[r,o]=k(),[s,i]=k("Loading…");H(rr,[]);let l=async()=>{try{let u=r??await nr(e);o(()=>u)}catch{i("Search is not available. Reload the page to try again.")}},c=r?.(t)??[],d=()=>{n(""),document.activeElement.blur()};return p("search",{class:"search needs-script",onKeyDown:(u)=>u.key==="Escape"?d():er(u),children:[p("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:u})=>n(u.value),onFocus:l}),p("div",{class:"search-list",hidden:t==="",children:[c.map(({title:u,place:h,text:_,href:a})=>p("a",{href:e+a,tabIndex:0,onClick:d,children:[p("b",{children:u}),p("span",{class:"note",children:h}),p("span",{class:"search-text note",children:_})]},a)),p("p",{role:"status",class:"note",children:r===void 0?s:tr(c)})]})]})}function er(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function tr({length:e}){return e===1?"1 result":`${e||"No"} results`}async function nr(e){let t=(o)=>new URL(e+o.slice(1),location.href).href,[{newSearch:n},r]=await Promise.all([import(t(_t)),fetch(t(dt))]);return n(await r.json())}function rr(){let e=document.getElementById("search");if(matchMedia("(hover: hover)").matches)e.placeholder="Type / to search";document.addEventListener("keydown",(t)=>{let{key:n,ctrlKey:r,metaKey:o,altKey:s,target:i}=t;if(n!=="/"||r||o||s)return;if(i instanceof Element&&i.matches("input, select, textarea"))return;t.preventDefault(),e.focus()})}var or={"code-panel":Kt,"loop-panel":Yt,"search-box":Xt};function Qt(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,r=or[t];Qe(p(r,{...JSON.parse(n)}),e)}}function Zt(e){let t=new Map,n=new IntersectionObserver((r)=>{for(let{target:o,isIntersecting:s}of r){let i=t.get(o);if(i?.removeAttribute("aria-current"),i===void 0||!s)continue;i.setAttribute("aria-current","location"),sr(e,i)}},{rootMargin:"-20% 0px -80%"});for(let r of e.querySelectorAll("li a")){let o=document.getElementById(r.hash.slice(1));if(o===null||r.pathname!==location.pathname)continue;t.set(o,r),n.observe(o)}}function sr(e,t){let n=e.getBoundingClientRect(),r=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(r)>n.height/4)e.scrollTop+=r}function en(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var ir=2000;Qt();ar();var qe=document.getElementById("navigation");if(qe!==null)Zt(qe),en(qe);function ar(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),r=t?.firstChild;if(!n||!r)return;await lr(n),r.nodeValue="Copied",setTimeout(()=>{r.nodeValue="Copy"},ir)})}async function lr(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
